/* Bus nodes /dev/i2c-N that are sockets: preloaded, it answers open, ioctl and close as i2c-dev does.
 *
 * I2C_NODES="1=/run/one.sock,3=/run/three.sock" names a SOCK_SEQPACKET socket for each bus. Whoever serves it
 * greets with an int32, 0 or -errno, which open then gives; afterwards each packet is a transfer:
 *   there: uint32 count, then for each message uint16 address, flags, length, 0, then what is written, in order
 *   back:  int32 count or -errno, then what was read, in order
 * A bus without a server does not exist (ENOENT); one whose server has gone has lost its adapter (ENODEV).
 * Limits and SMBus over messages are those of the kernel (i2c-dev.c, i2c-core-smbus.c); a stalled bus costs
 * the time that I2C_TIMEOUT sets.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MOST_FDS 1024
#define PACKET 65536
#define LONGEST 8192

struct node {
	int open;
	uint16_t address;
	long timeout_10ms;
	pthread_mutex_t busy;
};

static struct node nodes[MOST_FDS];
static __thread uint8_t packet[PACKET];

static int fail(int error)
{
	errno = error;
	return -1;
}

static struct node *node_of(int fd)
{
	return fd >= 0 && fd < MOST_FDS && nodes[fd].open ? &nodes[fd] : NULL;
}

/* The socket of /dev/i2c-N in I2C_NODES; 0: not a bus, -1: a bus that is not there. */
static int find_socket(const char *path, struct sockaddr_un *at)
{
	const char *digits, *entry = getenv("I2C_NODES");
	size_t length;

	if (!entry || strncmp(path, "/dev/i2c-", 9))
		return 0;
	digits = path + 9;
	length = strlen(digits);
	while (*entry) {
		size_t size = strcspn(entry, ",");

		if (size > length && !strncmp(entry, digits, length) && entry[length] == '=' &&
		    size - length - 1 < sizeof(at->sun_path)) {
			memset(at, 0, sizeof(*at));
			at->sun_family = AF_UNIX;
			memcpy(at->sun_path, entry + length + 1, size - length - 1);
			return 1;
		}
		entry += size + (entry[size] == ',');
	}
	return -1;
}

static int open_node(const char *path, int *fd)
{
	struct sockaddr_un at;
	int32_t greeting = -ENOENT;
	int found = find_socket(path, &at);

	if (!found)
		return 0;
	*fd = -1;
	if (found < 0)
		return fail(ENOENT), 1;
	*fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (*fd < 0)
		return 1;
	if (*fd >= MOST_FDS)
		greeting = -EMFILE;
	else if (!connect(*fd, (struct sockaddr *)&at, sizeof(at)))
		(void)!recv(*fd, &greeting, sizeof(greeting), 0);
	if (greeting) {
		close(*fd);
		*fd = -1;
		return fail(-greeting), 1;
	}
	nodes[*fd] = (struct node){ .open = 1, .timeout_10ms = 100 };
	pthread_mutex_init(&nodes[*fd].busy, NULL);
	return 1;
}

static int exchange(int fd, struct node *node, struct i2c_msg *messages, uint32_t count)
{
	size_t size = 4 + 8 * count, at = 4;
	int32_t result = -ENODEV;
	ssize_t got;
	uint32_t i;

	for (i = 0; i < count; i++) {
		uint16_t head[4] = { messages[i].addr, messages[i].flags, messages[i].len, 0 };

		memcpy(packet + 4 + 8 * i, head, 8);
		if (messages[i].flags & I2C_M_RD)
			continue;
		if (size + messages[i].len > PACKET)
			return fail(EMSGSIZE);
		memcpy(packet + size, messages[i].buf, messages[i].len);
		size += messages[i].len;
	}
	memcpy(packet, &count, 4);
	pthread_mutex_lock(&node->busy);
	got = send(fd, packet, size, MSG_NOSIGNAL) < 0 ? -1 : recv(fd, packet, PACKET, 0);
	pthread_mutex_unlock(&node->busy);
	if (got >= 4)
		memcpy(&result, packet, 4);
	if (result == -ETIMEDOUT) {
		struct timespec pause = { node->timeout_10ms / 100, node->timeout_10ms % 100 * 10000000 };

		nanosleep(&pause, NULL);
	}
	if (result < 0)
		return fail(-result);
	for (i = 0; i < count; i++) {
		if (!(messages[i].flags & I2C_M_RD))
			continue;
		if (at + messages[i].len > (size_t)got)
			return fail(EIO);
		memcpy(messages[i].buf, packet + at, messages[i].len);
		at += messages[i].len;
	}
	return result;
}

static int transfer(int fd, struct node *node, struct i2c_rdwr_ioctl_data *asked)
{
	uint32_t i;

	if (!asked->msgs || !asked->nmsgs || asked->nmsgs > I2C_RDWR_IOCTL_MAX_MSGS)
		return fail(EINVAL);
	for (i = 0; i < asked->nmsgs; i++)
		if (asked->msgs[i].len > LONGEST)
			return fail(EINVAL);
	return exchange(fd, node, asked->msgs, asked->nmsgs);
}

/* An SMBus transfer as messages: a command byte and what is written, then what is read. */
static int smbus(int fd, struct node *node, struct i2c_smbus_ioctl_data *asked)
{
	uint8_t out[2 + I2C_SMBUS_BLOCK_MAX] = { asked->command }, *data = (uint8_t *)asked->data;
	uint8_t in[I2C_SMBUS_BLOCK_MAX];
	int reads = asked->read_write == I2C_SMBUS_READ, skip = 0, size, first = 0, count = 2;
	struct i2c_msg messages[2] = { { node->address, 0, 1, out }, { node->address, I2C_M_RD, 0, in } };

	switch (asked->size) {
	case I2C_SMBUS_QUICK:
		size = 0;
		break;
	case I2C_SMBUS_BYTE:
	case I2C_SMBUS_BYTE_DATA:
		size = 1;
		break;
	case I2C_SMBUS_WORD_DATA:
		size = 2;
		break;
	case I2C_SMBUS_I2C_BLOCK_DATA:
		size = data[0];
		skip = 1;
		if (size > I2C_SMBUS_BLOCK_MAX)
			return fail(EINVAL);
		break;
	default:
		return fail(EOPNOTSUPP);
	}
	if (asked->size == I2C_SMBUS_QUICK)
		messages[0] = (struct i2c_msg){ node->address, reads ? I2C_M_RD : 0, 0, out };
	else if (reads)
		messages[1].len = size;
	else if (asked->size != I2C_SMBUS_BYTE)
		memcpy(out + 1, data + skip, size), messages[0].len = 1 + size;
	if (asked->size == I2C_SMBUS_QUICK || !reads)
		count = 1;
	else if (asked->size == I2C_SMBUS_BYTE)
		first = count = 1;
	if (exchange(fd, node, messages + first, count) < 0)
		return -1;
	if (reads && asked->data)
		memcpy(data + skip, in, size);
	return 0;
}

static int answer(int fd, struct node *node, unsigned long request, void *argument)
{
	unsigned long value = (unsigned long)argument;

	switch (request) {
	case I2C_SLAVE:
	case I2C_SLAVE_FORCE:
		if (value > 0x7f)
			return fail(EINVAL);
		node->address = value;
		return 0;
	case I2C_TIMEOUT:
		node->timeout_10ms = value;
		return 0;
	case I2C_RETRIES:
	case I2C_TENBIT:
	case I2C_PEC:
		return 0;
	case I2C_FUNCS:
		*(unsigned long *)argument = I2C_FUNC_I2C | (I2C_FUNC_SMBUS_EMUL & ~I2C_FUNC_SMBUS_PEC);
		return 0;
	case I2C_RDWR:
		return transfer(fd, node, argument);
	case I2C_SMBUS:
		return smbus(fd, node, argument);
	}
	return fail(ENOTTY);
}

#define REAL(name, type) static type real; if (!real) real = (type)dlsym(RTLD_NEXT, #name)

typedef int (*open_t)(const char *, int, ...);
typedef int (*openat_t)(int, const char *, int, ...);
typedef int (*close_t)(int);
typedef int (*ioctl_t)(int, unsigned long, ...);
#define MODE(last) va_list rest; int fd, mode; va_start(rest, last); mode = va_arg(rest, int); va_end(rest)
#define OPEN(name) int name(const char *path, int flags, ...) { REAL(name, open_t); MODE(flags); \
	return open_node(path, &fd) ? fd : real(path, flags, mode); }
#define OPENAT(name) int name(int folder, const char *path, int flags, ...) { REAL(name, openat_t); MODE(flags); \
	return open_node(path, &fd) ? fd : real(folder, path, flags, mode); }

/* The argument after the flags is only there when a file may be made; else it is read and not used. */
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int close(int fd)
{
	REAL(close, close_t);
	struct node *node = node_of(fd);

	if (node)
		node->open = 0;
	return real(fd);
}

int ioctl(int fd, unsigned long request, ...)
{
	REAL(ioctl, ioctl_t);
	struct node *node = node_of(fd);
	va_list rest;
	void *argument;

	va_start(rest, request);
	argument = va_arg(rest, void *);
	va_end(rest);
	return node ? answer(fd, node, request & 0xffffffff, argument) : real(fd, request, argument);
}
