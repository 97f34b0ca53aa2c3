/* What a program gives to the disk and to the world, in its order: preloaded, it logs each call and lets it through.
 *
 * IO_ORDER_JOURNAL=/path/journal.db  the journal; what begins with this path belongs to it. Unset: nothing is done.
 * IO_ORDER_LOG=/path                 each call is appended to this file as a record (see io_order.py):
 *     to the journal:  WRITE and TRUNCATE when they have returned, with what was written; SYNC and SYNCED before
 *                      and after a sync (of a file or of the folder); RENAME, UNLINK and LINK when they have returned
 *     to all others:   OUT before the first byte leaves, with all that is going to: sockets, files, pipes
 *     So SYNCED before OUT in the log means: the sync had returned before anything of it left.
 * IO_ORDER_STATE=/path               a page, shared: what the journal's file and log are going through (enum phase)
 * IO_ORDER_SLOW_US=n                 a sync of the log takes that much longer, as on a slow card
 * IO_ORDER_UNSYNCED=1                a sync comes back at once and nothing is synced: a disk that lies
 * IO_ORDER_KILL="OP N PERCENT"       SIGKILL at the Nth OP: in a `write` of the write-ahead log after PERCENT of its
 *                                    bytes; in a `page` (write to the journal itself) the same; before a `sync` of
 *                                    either (0), or after it and before its caller knows (100)
 *
 * The settings are read at the first call after they stand in the environment, so that a process that forks can set
 * them for the child. mmap is not seen: SQLite maps only its index (-shm), which is built anew after a crash.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum op { OUT = 1, WRITE, TRUNCATE, SYNC, SYNCED, RENAME, UNLINK, LINK };
enum phase { IDLE, LOG_WRITE, LOG_WRITTEN, LOG_SYNC, PAGE_WRITE, PAGES_WRITTEN, PAGE_SYNC, PHASES };
enum file { OTHER, LOG, MAIN, BESIDE };

struct record {
	uint32_t op, path_size;
	uint64_t offset, size;
};

struct state {
	uint32_t phase, count[PHASES];
};

static struct {
	const char *journal, *unsynced;
	size_t length;
	int log;
	struct state *state;
	unsigned slow_us, kill_at, kill_percent;
	char kill_op[8];
	unsigned writes, pages, syncs;
} set = { .log = -1 };
static struct state nobody;
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = dlsym(RTLD_NEXT, name)

static ssize_t real_writev(int fd, const struct iovec *parts, int count)
{
	REAL(ssize_t, "writev", int, const struct iovec *, int);
	return real(fd, parts, count);
}

static void read_settings(void)
{
	const char *journal = getenv("IO_ORDER_JOURNAL"), *name;
	int fd;

	if (!journal)
		return;
	name = getenv("IO_ORDER_LOG");
	if (name)
		set.log = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	set.state = &nobody;
	name = getenv("IO_ORDER_STATE");
	if (name) {
		fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (fd >= 0 && !syscall(SYS_ftruncate, fd, sizeof(struct state))) /* the library's own would wait for itself */
			set.state = mmap(NULL, sizeof(struct state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (fd < 0 || set.state == MAP_FAILED)
			abort();
		close(fd);
	}
	name = getenv("IO_ORDER_SLOW_US");
	set.slow_us = name ? atoi(name) : 0;
	name = getenv("IO_ORDER_KILL");
	if (name && sscanf(name, "%7s %u %u", set.kill_op, &set.kill_at, &set.kill_percent) != 3)
		abort();
	set.unsynced = getenv("IO_ORDER_UNSYNCED");
	set.length = strlen(journal);
	__atomic_store_n(&set.journal, strdup(journal), __ATOMIC_RELEASE);
}

static int ready(void)
{
	if (__atomic_load_n(&set.journal, __ATOMIC_ACQUIRE))
		return 1;
	pthread_mutex_lock(&busy);
	if (!set.journal && set.log < 0)
		read_settings();
	pthread_mutex_unlock(&busy);
	return set.journal != NULL;
}

static enum file file_of(const char *path)
{
	const char *rest = path + set.length;

	if (strncmp(path, set.journal, set.length))
		return OTHER;
	return !*rest ? MAIN : !strcmp(rest, "-wal") ? LOG : BESIDE;
}

/* Where an open file lies, after all renames. */
static enum file find(int fd, char path[4096])
{
	char link[32];
	ssize_t size;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, path, 4095);
	path[size < 0 ? 0 : size] = 0;
	return file_of(path);
}

static void note(enum op op, const char *path, uint64_t offset, const struct iovec *parts, int count, size_t most)
{
	struct iovec all[64] = { { 0 } };
	struct record record = { op, strlen(path), offset, 0 };
	int i, n = 2;

	if (set.log < 0)
		return;
	for (i = 0; i < count && n < 64; i++, n++) {
		all[n] = parts[i];
		if (all[n].iov_len > most - record.size)
			all[n].iov_len = most - record.size;
		record.size += all[n].iov_len;
	}
	all[0] = (struct iovec){ &record, sizeof(record) };
	all[1] = (struct iovec){ (char *)path, record.path_size };
	pthread_mutex_lock(&busy);
	if (real_writev(set.log, all, n) < 0)
		abort();
	pthread_mutex_unlock(&busy);
}

static void enter(enum phase phase)
{
	set.state->count[phase]++;
	__atomic_store_n(&set.state->phase, phase, __ATOMIC_SEQ_CST);
}

static int hit(const char *op, unsigned n)
{
	return n == set.kill_at && !strcmp(op, set.kill_op);
}

static void end(void)
{
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}

/* A write to a file: `offset` -1 where the file's own position counts. */
static ssize_t give(int fd, const struct iovec *parts, int count, off_t offset)
{
	REAL(ssize_t, "pwritev", int, const struct iovec *, int, off_t);
	char path[4096];
	enum file file;
	ssize_t done;
	int log, last;

	if (!ready() || (file = find(fd, path)) == OTHER) {
		if (set.journal && fd != set.log)
			note(OUT, path, offset, parts, count, SIZE_MAX);
		return offset < 0 ? real_writev(fd, parts, count) : real(fd, parts, count, offset);
	}
	log = file == LOG;
	last = (log && hit("write", ++set.writes)) || (file == MAIN && hit("page", ++set.pages));
	if (file != BESIDE)
		enter(log ? LOG_WRITE : PAGE_WRITE);
	if (last) {
		struct iovec some = { parts[0].iov_base, parts[0].iov_len * set.kill_percent / 100 };

		done = some.iov_len ? (offset < 0 ? real_writev(fd, &some, 1) : real(fd, &some, 1, offset)) : 0;
		end();
	}
	done = offset < 0 ? real_writev(fd, parts, count) : real(fd, parts, count, offset);
	if (done > 0)
		note(WRITE, path, offset < 0 ? lseek(fd, 0, SEEK_CUR) - done : offset, parts, count, done);
	if (file != BESIDE)
		enter(log ? LOG_WRITTEN : PAGES_WRITTEN);
	return done;
}

static int bring(int fd, int (*real)(int))
{
	char path[4096], folder[4096];
	struct stat at;
	enum file file;
	int done, last, is_folder = 0;

	if (!ready())
		return real(fd);
	file = find(fd, path);
	if (file == OTHER && !fstat(fd, &at) && S_ISDIR(at.st_mode)) {
		snprintf(folder, sizeof(folder), "%s", set.journal);
		*strrchr(folder, '/') = 0;
		is_folder = !strcmp(path, folder);
	}
	if (file == OTHER && !is_folder)
		return real(fd);
	last = !is_folder && hit("sync", ++set.syncs);
	if (last && !set.kill_percent)
		end();
	note(SYNC, path, 0, NULL, 0, 0);
	if (file == LOG || file == MAIN)
		enter(file == LOG ? LOG_SYNC : PAGE_SYNC);
	if (set.unsynced)
		return 0;
	if (file == LOG)
		usleep(set.slow_us);
	done = real(fd);
	if (last)
		end();
	if (!done)
		note(SYNCED, path, 0, NULL, 0, 0);
	enter(IDLE);
	return done;
}

#define PART(data, size) struct iovec part = { (void *)(data), size }
ssize_t write(int fd, const void *data, size_t size) { PART(data, size); return give(fd, &part, 1, -1); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return give(fd, parts, count, -1); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { PART(data, size); return give(fd, &part, 1, at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) { PART(data, size); return give(fd, &part, 1, at); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return give(fd, parts, count, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) { return give(fd, parts, count, at); }

int fsync(int fd) { REAL(int, "fsync", int); return bring(fd, real); }
int fdatasync(int fd) { REAL(int, "fdatasync", int); return bring(fd, real); }

static int cut(int fd, off_t size, int (*real)(int, off_t))
{
	char path[4096];
	int done = real(fd, size);

	if (!done && ready() && find(fd, path) != OTHER)
		note(TRUNCATE, path, size, NULL, 0, 0);
	return done;
}

int ftruncate(int fd, off_t size) { REAL(int, "ftruncate", int, off_t); return cut(fd, size, real); }
int ftruncate64(int fd, off_t size) { REAL(int, "ftruncate64", int, off_t); return cut(fd, size, real); }

/* The journal's own files are named by their absolute path. */
static int named(int done, enum op op, const char *path, const char *to)
{
	PART(to, strlen(to));

	if (!done && ready() && (file_of(path) != OTHER || file_of(to) != OTHER))
		note(op, path, 0, &part, 1, SIZE_MAX);
	return done;
}

int rename(const char *path, const char *to)
{
	REAL(int, "rename", const char *, const char *);
	return named(real(path, to), RENAME, path, to);
}

int link(const char *path, const char *to)
{
	REAL(int, "link", const char *, const char *);
	return named(real(path, to), LINK, path, to);
}

int linkat(int from, const char *path, int into, const char *to, int flags)
{
	REAL(int, "linkat", int, const char *, int, const char *, int);
	return named(real(from, path, into, to, flags), LINK, path, to);
}

int unlink(const char *path)
{
	REAL(int, "unlink", const char *);
	return named(real(path), UNLINK, path, "");
}


ssize_t send(int fd, const void *data, size_t size, int flags)
{
	REAL(ssize_t, "send", int, const void *, size_t, int);
	PART(data, size);
	char path[4096];

	if (ready()) {
		find(fd, path);
		note(OUT, path, 0, &part, 1, SIZE_MAX);
	}
	return real(fd, data, size, flags);
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
	REAL(ssize_t, "sendto", int, const void *, size_t, int, const struct sockaddr *, socklen_t);
	PART(data, size);
	char path[4096];

	if (ready()) {
		find(fd, path);
		note(OUT, path, 0, &part, 1, SIZE_MAX);
	}
	return real(fd, data, size, flags, to, length);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	REAL(ssize_t, "sendmsg", int, const struct msghdr *, int);
	char path[4096];

	if (ready()) {
		find(fd, path);
		note(OUT, path, 0, message->msg_iov, message->msg_iovlen, SIZE_MAX);
	}
	return real(fd, message, flags);
}
