// SPDX-License-Identifier: GPL-2.0
/*
 * The wires between a decoder's select pins and the sense lines of a switch matrix, on a chip of gpio-sim.
 *
 * What the lines of gpio-sim read is set by hand, through files: too slow for a matrix that is scanned 3000
 * lines a second. While /dev/gpio-matrix is open, the sense pins of one chip read what a table says for the
 * code that stands on the select pins. The table is the program's, and so is all electronics behind it.
 *
 *   write  struct matrix_table. EINVAL for a pin beyond the chip, ENODEV without a chip of that label.
 */
#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/gpio/driver.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#define SELECT_PINS	4
#define SENSE_PINS	15
#define CODES		(1 << SELECT_PINS)
#define MOST_PINS	64

struct matrix_table {
	char label[32];
	__u16 select[SELECT_PINS];
	__u16 sense[SENSE_PINS];
	__u16 enable;		/* low enables the decoder; 0xffff: it always is */
	__u16 closed[CODES];	/* sense lines that are pulled low by a code, bit 0 the first */
	__u16 idle;		/* those that are low while nothing is selected */
};

static DEFINE_MUTEX(matrix_lock);
static struct matrix_table table;
static struct gpio_chip *chip;
static int (*chip_get)(struct gpio_chip *gc, unsigned int offset);
static int (*chip_get_multiple)(struct gpio_chip *gc, unsigned long *mask, unsigned long *bits);

static u16 matrix_low(struct gpio_chip *gc)
{
	int code = 0;
	int i;

	if (table.enable != 0xffff && chip_get(gc, table.enable))
		return table.idle;
	for (i = 0; i < SELECT_PINS; i++)
		code |= chip_get(gc, table.select[i]) << i;
	return table.closed[code];
}

static int matrix_get_multiple(struct gpio_chip *gc, unsigned long *mask, unsigned long *bits)
{
	u16 low;
	int i;

	mutex_lock(&matrix_lock);
	chip_get_multiple(gc, mask, bits);
	low = matrix_low(gc);
	for (i = 0; i < SENSE_PINS; i++)
		if (test_bit(table.sense[i], mask))
			__assign_bit(table.sense[i], bits, !(low >> i & 1));
	mutex_unlock(&matrix_lock);
	return 0;
}

static int matrix_get(struct gpio_chip *gc, unsigned int offset)
{
	DECLARE_BITMAP(mask, MOST_PINS) = { };
	DECLARE_BITMAP(bits, MOST_PINS) = { };

	__set_bit(offset, mask);
	matrix_get_multiple(gc, mask, bits);
	return test_bit(offset, bits);
}

static int matrix_match(struct gpio_chip *gc, void *label)
{
	return !strcmp(gc->label, label);
}

static int matrix_pins_exist(const struct matrix_table *given, const struct gpio_chip *gc)
{
	int i;

	for (i = 0; i < SELECT_PINS; i++)
		if (given->select[i] >= gc->ngpio)
			return 0;
	for (i = 0; i < SENSE_PINS; i++)
		if (given->sense[i] >= gc->ngpio)
			return 0;
	return gc->ngpio <= MOST_PINS && (given->enable == 0xffff || given->enable < gc->ngpio);
}

static void matrix_disconnect(void)
{
	if (!chip)
		return;
	chip->get = chip_get;
	chip->get_multiple = chip_get_multiple;
	chip = NULL;
}

static ssize_t matrix_write(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	struct matrix_table given;
	struct gpio_chip *found;
	ssize_t result = size;

	if (size != sizeof(given))
		return -EMSGSIZE;
	if (copy_from_user(&given, buffer, size))
		return -EFAULT;
	given.label[sizeof(given.label) - 1] = 0;
	found = gpiochip_find(given.label, matrix_match);
	if (!found)
		return -ENODEV;
	mutex_lock(&matrix_lock);
	if (!matrix_pins_exist(&given, found)) {
		result = -EINVAL;
	} else {
		table = given;
		if (found != chip) {
			matrix_disconnect();
			chip = found;
			chip_get = chip->get;
			chip_get_multiple = chip->get_multiple;
			chip->get = matrix_get;
			chip->get_multiple = matrix_get_multiple;
		}
	}
	mutex_unlock(&matrix_lock);
	return result;
}

static int matrix_release(struct inode *inode, struct file *file)
{
	mutex_lock(&matrix_lock);
	matrix_disconnect();
	mutex_unlock(&matrix_lock);
	return 0;
}

static const struct file_operations matrix_operations = {
	.owner = THIS_MODULE,
	.write = matrix_write,
	.release = matrix_release,
};

static struct miscdevice matrix_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gpio-matrix",
	.fops = &matrix_operations,
};
builtin_misc_device(matrix_device);
