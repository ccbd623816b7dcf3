/*
 * What a UDP relay can do on this machine: the limit beside which bench/parts/fabric.mjs puts the fabric.
 *
 *   relay BASE LINKS [OWN LEFT RIGHT]
 *
 * Link i takes datagrams at BASE+4i+1 from BASE+4i and sends them on from BASE+4i+2 to BASE+4i+3, and back, all on 127.0.0.1; with
 * addresses: at OWN, from LEFT, to RIGHT.
 * One link: a thread for each way that waits in recvmmsg. More: one thread, epoll. Prints "ready" and runs until it is ended.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BATCH = 64, LONGEST = 65536, STRIDE = LONGEST + 2048 + 64, SOCKET_BUFFER = 4000000 };

struct way {
  int from, to;
};

static void check(int ok, const char *what) {
  if (ok) return;
  perror(what);
  exit(1);
}

static const char *own = "127.0.0.1", *left = "127.0.0.1", *right = "127.0.0.1";

static struct sockaddr_in address(const char *host, int port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
  check(inet_pton(AF_INET, host, &a.sin_addr) == 1, host);
  return a;
}

static int socket_between(int local, const char *host, int remote) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0), size = SOCKET_BUFFER;
  check(fd >= 0, "socket");
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  struct sockaddr_in a = address(own, local), b = address(host, remote);
  check(bind(fd, (struct sockaddr *)&a, sizeof a) == 0, "bind");
  check(connect(fd, (struct sockaddr *)&b, sizeof b) == 0, "connect");
  return fd;
}

struct batch {
  struct mmsghdr in[BATCH], out[BATCH];
  struct iovec in_io[BATCH], out_io[BATCH];
};

static struct batch *create_batch(void) {
  struct batch *b = calloc(1, sizeof *b);
  char *memory = malloc((size_t)BATCH * STRIDE);
  check(b != NULL && memory != NULL, "malloc");
  for (int i = 0; i < BATCH; i++) {
    b->in_io[i] = (struct iovec){memory + (size_t)i * STRIDE, LONGEST};
    b->out_io[i].iov_base = b->in_io[i].iov_base;
    b->in[i].msg_hdr = (struct msghdr){.msg_iov = &b->in_io[i], .msg_iovlen = 1};
    b->out[i].msg_hdr = (struct msghdr){.msg_iov = &b->out_io[i], .msg_iovlen = 1};
  }
  return b;
}

/* Moves what is there, at most one batch. */
static void move(struct batch *b, struct way way, int flags) {
  int n = recvmmsg(way.from, b->in, BATCH, flags, NULL);
  for (int i = 0; i < n; i++) b->out_io[i].iov_len = b->in[i].msg_len;
  for (int sent = 0; sent < n;) {
    int more = sendmmsg(way.to, b->out + sent, n - sent, 0);
    sent += more > 0 ? more : 1;
  }
}

static void *run_way(void *argument) {
  struct way way = *(struct way *)argument;
  struct batch *b = create_batch();
  for (;;) move(b, way, MSG_WAITFORONE);
  return NULL;
}

static void run_epoll(struct way *ways, int count) {
  int epoll = epoll_create1(0);
  check(epoll >= 0, "epoll_create1");
  for (int i = 0; i < count; i++) {
    struct epoll_event e = {.events = EPOLLIN, .data.u32 = i};
    check(epoll_ctl(epoll, EPOLL_CTL_ADD, ways[i].from, &e) == 0, "epoll_ctl");
  }
  struct batch *b = create_batch();
  struct epoll_event events[256];
  for (;;) {
    int n = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < n; i++) move(b, ways[events[i].data.u32], MSG_DONTWAIT);
  }
}

int main(int argc, char **argv) {
  check(argc == 3 || argc == 6, "usage: relay BASE LINKS [OWN LEFT RIGHT]");
  if (argc == 6) own = argv[3], left = argv[4], right = argv[5];
  int base = atoi(argv[1]), links = atoi(argv[2]);
  struct way *ways = calloc(2 * links, sizeof *ways);
  check(ways != NULL, "malloc");
  for (int i = 0; i < links; i++) {
    int a = socket_between(base + 4 * i + 1, left, base + 4 * i);
    int b = socket_between(base + 4 * i + 2, right, base + 4 * i + 3);
    ways[2 * i] = (struct way){a, b};
    ways[2 * i + 1] = (struct way){b, a};
  }
  printf("ready\n");
  fflush(stdout);
  if (links > 1) run_epoll(ways, 2 * links);
  pthread_t thread;
  check(pthread_create(&thread, NULL, run_way, &ways[1]) == 0, "pthread_create");
  run_way(&ways[0]);
}
