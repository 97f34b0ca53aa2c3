// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C adapter whose transfers a program answers.
 *
 * Each open of /dev/i2c-relay stands for one adapter. The ioctl RELAY_ATTACH with a number N makes /dev/i2c-N.
 * RELAY_UNPLUG lets every transfer fail with ENODEV, as those of an adapter that was unplugged. Closing takes the
 * node away, and waits until nobody has it open.
 *
 *   read   the next transfer: struct relay_transfer, then a struct relay_message for each message, then what
 *          is written by these, one after the other. Waits for it; ENODEV once unplugged.
 *   write  its answer: struct relay_answer, then what was read, one after the other. ESTALE when the transfer
 *          has been given up meanwhile.
 *
 * An answer of -ETIMEDOUT is a bus that hangs: the transfer ends so after the adapter's time-out (I2C_TIMEOUT of
 * i2c-dev). That time is not counted while a program on a busy machine makes its answer: it has RELAY_PATIENCE.
 * Like i2c-bcm2835, the adapter of a Raspberry Pi 0 to 4, it takes one read a transfer, as the last message.
 */
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define RELAY_ATTACH	_IO('R', 1)
#define RELAY_UNPLUG	_IO('R', 2)
#define RELAY_BYTES	8192
#define RELAY_PATIENCE	(20 * HZ)

struct relay_transfer {
	__u32 number;
	__u32 messages;
};

struct relay_message {
	__u16 address;
	__u16 flags;
	__u16 length;
	__u16 zero;
};

struct relay_answer {
	__u32 number;
	__s32 result;		/* messages done, or a negative errno */
};

enum relay_state { IDLE, OFFERED, TAKEN, ANSWERED, GONE };

struct relay {
	struct i2c_adapter adapter;
	struct mutex lock;	/* everything below */
	wait_queue_head_t changed;
	enum relay_state state;
	bool attached;
	u32 number;
	s32 result;
	size_t request_bytes;
	size_t answer_bytes;
	u8 request[RELAY_BYTES];
	u8 answer[RELAY_BYTES];
};

static int relay_check(const struct i2c_msg *messages, int count)
{
	size_t bytes = sizeof(struct relay_transfer);
	int i;

	for (i = 0; i < count; i++) {
		if ((messages[i].flags & I2C_M_RD) && i < count - 1)
			return -EOPNOTSUPP;
		bytes += sizeof(struct relay_message) + messages[i].len;
	}
	return bytes > RELAY_BYTES ? -EMSGSIZE : 0;
}

static void relay_offer(struct relay *relay, const struct i2c_msg *messages, int count)
{
	struct relay_transfer *transfer = (void *)relay->request;
	struct relay_message *head = (void *)(transfer + 1);
	u8 *data = (u8 *)(head + count);
	int i;

	transfer->number = ++relay->number;
	transfer->messages = count;
	for (i = 0; i < count; i++, head++) {
		head->address = messages[i].addr;
		head->flags = messages[i].flags;
		head->length = messages[i].len;
		head->zero = 0;
		if (!(messages[i].flags & I2C_M_RD)) {
			memcpy(data, messages[i].buf, messages[i].len);
			data += messages[i].len;
		}
	}
	relay->request_bytes = data - relay->request;
	relay->state = OFFERED;
}

static int relay_finish(struct relay *relay, struct i2c_msg *messages, int count)
{
	struct i2c_msg *last = &messages[count - 1];

	if (relay->state == GONE)
		return -ENODEV;
	if (relay->state != ANSWERED)
		return -ETIMEDOUT;
	if (relay->result < 0)
		return relay->result;
	if (last->flags & I2C_M_RD) {
		if (relay->answer_bytes != last->len)
			return -EIO;
		memcpy(last->buf, relay->answer, last->len);
	}
	return count;
}

static int relay_xfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	struct relay *relay = i2c_get_adapdata(adapter);
	int result = relay_check(messages, count);

	if (result)
		return result;
	mutex_lock(&relay->lock);
	if (relay->state != GONE) {
		relay_offer(relay, messages, count);
		mutex_unlock(&relay->lock);
		wake_up_all(&relay->changed);
		wait_event_timeout(relay->changed, READ_ONCE(relay->state) >= ANSWERED, RELAY_PATIENCE);
		if (READ_ONCE(relay->state) == ANSWERED && READ_ONCE(relay->result) == -ETIMEDOUT)
			schedule_timeout_uninterruptible(adapter->timeout);
		mutex_lock(&relay->lock);
	}
	result = relay_finish(relay, messages, count);
	if (relay->state != GONE)
		relay->state = IDLE;
	mutex_unlock(&relay->lock);
	return result;
}

static u32 relay_functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm relay_algorithm = {
	.master_xfer = relay_xfer,
	.functionality = relay_functionality,
};

static int relay_open(struct inode *inode, struct file *file)
{
	struct relay *relay = kzalloc(sizeof(*relay), GFP_KERNEL);

	if (!relay)
		return -ENOMEM;
	mutex_init(&relay->lock);
	init_waitqueue_head(&relay->changed);
	file->private_data = relay;
	return 0;
}

static void relay_unplug(struct relay *relay)
{
	mutex_lock(&relay->lock);
	relay->state = GONE;
	mutex_unlock(&relay->lock);
	wake_up_all(&relay->changed);
}

static long relay_ioctl(struct file *file, unsigned int request, unsigned long number)
{
	struct relay *relay = file->private_data;
	struct i2c_adapter *adapter = &relay->adapter;
	int result;

	if (request == RELAY_UNPLUG) {
		relay_unplug(relay);
		return 0;
	}
	if (request != RELAY_ATTACH)
		return -ENOTTY;
	if (relay->attached)
		return -EBUSY;
	adapter->owner = THIS_MODULE;
	adapter->algo = &relay_algorithm;
	adapter->nr = number;
	strscpy(adapter->name, "i2c-relay", sizeof(adapter->name));
	i2c_set_adapdata(adapter, relay);
	result = i2c_add_numbered_adapter(adapter);
	relay->attached = !result;
	return result;
}

static int relay_release(struct inode *inode, struct file *file)
{
	struct relay *relay = file->private_data;

	relay_unplug(relay);
	if (relay->attached)
		i2c_del_adapter(&relay->adapter);	/* waits until nobody has it open */
	kfree(relay);
	return 0;
}

static ssize_t relay_read(struct file *file, char __user *buffer, size_t size, loff_t *offset)
{
	struct relay *relay = file->private_data;
	ssize_t result = 0;

	while (!result) {
		if (wait_event_interruptible(relay->changed, READ_ONCE(relay->state) == OFFERED ||
					     READ_ONCE(relay->state) == GONE))
			return -ERESTARTSYS;
		mutex_lock(&relay->lock);
		if (relay->state == GONE) {
			result = -ENODEV;
		} else if (relay->state == OFFERED) {
			result = relay->request_bytes;
			if (size < result)
				result = -EMSGSIZE;
			else if (copy_to_user(buffer, relay->request, result))
				result = -EFAULT;
			else
				relay->state = TAKEN;
		}
		mutex_unlock(&relay->lock);
	}
	return result;
}

static ssize_t relay_write(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	struct relay *relay = file->private_data;
	struct relay_answer head;
	ssize_t result = size;

	if (size < sizeof(head) || size - sizeof(head) > RELAY_BYTES)
		return -EMSGSIZE;
	if (copy_from_user(&head, buffer, sizeof(head)))
		return -EFAULT;
	mutex_lock(&relay->lock);
	if (relay->state != TAKEN || head.number != relay->number) {
		result = -ESTALE;
	} else if (copy_from_user(relay->answer, buffer + sizeof(head), size - sizeof(head))) {
		result = -EFAULT;
	} else {
		relay->result = head.result;
		relay->answer_bytes = size - sizeof(head);
		relay->state = ANSWERED;
	}
	mutex_unlock(&relay->lock);
	wake_up_all(&relay->changed);
	return result;
}

static const struct file_operations relay_operations = {
	.owner = THIS_MODULE,
	.open = relay_open,
	.release = relay_release,
	.read = relay_read,
	.write = relay_write,
	.unlocked_ioctl = relay_ioctl,
};

static struct miscdevice relay_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "i2c-relay",
	.fops = &relay_operations,
};
builtin_misc_device(relay_device);
