/*
 * Sends UDP frames through a relay and accounts for each: what was lost, what came out of order, how long it took.
 *
 *   frames BASE LINKS SIZE WINDOW SECONDS RATE [OWN FIRST LAST LASTBASE]
 *
 * Link i sends from BASE+4i to BASE+4i+1 and receives at BASE+4i+3 from BASE+4i+2, all on 127.0.0.1; with addresses it is at OWN, sends to
 * FIRST, and receives at LASTBASE+4i+3 from LASTBASE+4i+2 of LAST. At most WINDOW frames of a
 * link are on their way; RATE (frames a second, all links together; 0: none) limits what is offered. The first tenth of the time
 * (at least 0.2 s), in which the window fills gradually, is not counted in the rate. Prints one JSON object.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 32, LONGEST = 65536, SOCKET_BUFFER = 4000000, SLOTS = 1000000 };

struct link {
  int out, in;
  /* Numbers of the next frame to send, and of the next to come. */
  uint64_t sent, expected;
};

static uint64_t received, gaps, late;
static uint32_t histogram[SLOTS];
static char outgoing[BATCH][LONGEST], incoming[BATCH][LONGEST];
static struct mmsghdr out[BATCH], in[BATCH];
static struct iovec out_io[BATCH], in_io[BATCH];
static int counting;

static void check(int ok, const char *what) {
  if (ok) return;
  perror(what);
  exit(1);
}

static uint64_t nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

static const char *own = "127.0.0.1", *first = "127.0.0.1", *last_host = "127.0.0.1";

static int socket_between(int local, const char *host, int remote) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), size = SOCKET_BUFFER;
  check(fd >= 0, "socket");
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(local)}, b = a;
  check(inet_pton(AF_INET, own, &a.sin_addr) == 1, own);
  check(inet_pton(AF_INET, host, &b.sin_addr) == 1, host);
  b.sin_port = htons(remote);
  check(bind(fd, (struct sockaddr *)&a, sizeof a) == 0, "bind");
  check(connect(fd, (struct sockaddr *)&b, sizeof b) == 0, "connect");
  return fd;
}

static void prepare(int size) {
  for (int i = 0; i < BATCH; i++) {
    memset(outgoing[i], i, LONGEST);
    out_io[i] = (struct iovec){outgoing[i], size};
    in_io[i] = (struct iovec){incoming[i], LONGEST};
    out[i].msg_hdr = (struct msghdr){.msg_iov = &out_io[i], .msg_iovlen = 1};
    in[i].msg_hdr = (struct msghdr){.msg_iov = &in_io[i], .msg_iovlen = 1};
  }
}

static uint64_t send_frames(struct link *link, uint64_t count) {
  int n = count < BATCH ? (int)count : BATCH;
  if (n <= 0) return 0;
  uint64_t now = nanoseconds();
  for (int i = 0; i < n; i++) {
    uint64_t header[2] = {link->sent + i, now};
    memcpy(outgoing[i], header, sizeof header);
  }
  int done = sendmmsg(link->out, out, n, 0);
  if (done < 0) return 0;
  link->sent += done;
  return done;
}

static void account(struct link *link, const char *frame, uint64_t now) {
  uint64_t header[2];
  memcpy(header, frame, sizeof header);
  received++;
  if (header[0] >= link->expected) {
    gaps += header[0] - link->expected;
    link->expected = header[0] + 1;
  } else {
    late++;
    gaps--;
  }
  uint64_t slot = (now - header[1]) / 1000;
  if (counting) histogram[slot < SLOTS ? slot : SLOTS - 1]++;
}

static int receive_frames(struct link *link) {
  int n = recvmmsg(link->in, in, BATCH, MSG_DONTWAIT, NULL);
  uint64_t now = nanoseconds();
  for (int i = 0; i < n; i++) account(link, incoming[i], now);
  return n > 0 ? n : 0;
}

static double percentile(double share) {
  uint64_t all = 0, seen = 0;
  for (int i = 0; i < SLOTS; i++) all += histogram[i];
  for (int i = 0; i < SLOTS; i++) {
    seen += histogram[i];
    if (seen > 0 && seen >= share * all) return i / 1000.0;
  }
  return 0;
}

int main(int argc, char **argv) {
  check(argc == 7 || argc == 11, "usage: frames BASE LINKS SIZE WINDOW SECONDS RATE [OWN FIRST LAST LASTBASE]");
  int base = atoi(argv[1]), count = atoi(argv[2]), size = atoi(argv[3]);
  uint64_t most = atoi(argv[4]);
  double seconds = atof(argv[5]), rate = atof(argv[6]);
  int last_base = base;
  if (argc == 11) own = argv[7], first = argv[8], last_host = argv[9], last_base = atoi(argv[10]);
  struct link *links = calloc(count, sizeof *links);
  int epoll = epoll_create1(0);
  for (int i = 0; i < count; i++) {
    links[i].out = socket_between(base + 4 * i, first, base + 4 * i + 1);
    links[i].in = socket_between(last_base + 4 * i + 3, last_host, last_base + 4 * i + 2);
    struct epoll_event e = {.events = EPOLLIN, .data.u32 = i};
    check(epoll_ctl(epoll, EPOLL_CTL_ADD, links[i].in, &e) == 0, "epoll_ctl");
  }
  prepare(size);

  uint64_t begin = nanoseconds(), last = begin, sent = 0, counted_from = 0, from = begin;
  uint64_t warm = (uint64_t)((seconds / 10 > 0.2 ? seconds / 10 : 0.2) * 1e9);
  uint64_t end = begin + warm + (uint64_t)(seconds * 1e9);
  struct epoll_event events[256];
  for (;;) {
    uint64_t now = nanoseconds();
    if (now >= end) break;
    if (!counting && now - begin >= warm) {
      counting = 1;
      counted_from = received;
      from = now;
    }
    uint64_t window = counting ? most : most * (now - begin) / warm + 1;
    uint64_t allowed = rate > 0 ? (uint64_t)(rate * (now - begin) / 1e9) : UINT64_MAX;
    int full = 1;
    for (int i = 0; i < count; i++) {
      uint64_t free = window - (links[i].sent - links[i].expected);
      if (links[i].sent - links[i].expected >= window) continue;
      if (sent >= allowed) break;
      if (free > allowed - sent) free = allowed - sent;
      sent += send_frames(&links[i], free);
      if (links[i].sent - links[i].expected < window) full = 0;
    }
    /* A rate or a growing window asks for a look at the clock soon; a full window only for frames. */
    int wait = full && counting && rate == 0 ? 100 : 0;
    int n = 0;
    if (count > 1) {
      n = epoll_wait(epoll, events, 256, wait);
      for (int i = 0; i < n; i++) receive_frames(&links[events[i].data.u32]);
    } else {
      n = receive_frames(&links[0]);
      if (n == 0 && wait > 0) {
        struct pollfd p = {links[0].in, POLLIN, 0};
        poll(&p, 1, wait);
        n = receive_frames(&links[0]);
      }
      if (n == 0 && rate > 0) usleep(50);
    }
    now = nanoseconds();
    if (n > 0) last = now;
    else if (now - last > 300000000u) {
      /* Nothing has come for so long that what was on its way is lost. */
      for (int i = 0; i < count; i++) {
        gaps += links[i].sent - links[i].expected;
        links[i].expected = links[i].sent;
      }
      last = now;
    }
  }
  double took = (nanoseconds() - from) / 1e9;
  uint64_t counted = received - counted_from;
  /* What is still on its way may come. */
  counting = 0;
  for (int n = 1; n > 0;) {
    n = epoll_wait(epoll, events, 256, 500);
    for (int i = 0; i < n; i++) receive_frames(&links[events[i].data.u32]);
  }
  uint64_t lost = 0;
  for (int i = 0; i < count; i++) lost += links[i].sent;
  lost -= received;
  printf("{\"per_second\":%.0f,\"sent\":%llu,\"received\":%llu,\"lost\":%llu,\"out_of_order\":%llu,"
         "\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"p999_ms\":%.3f}\n",
         counted / took, (unsigned long long)sent, (unsigned long long)received, (unsigned long long)lost,
         (unsigned long long)late, percentile(0.5), percentile(0.99), percentile(0.999));
}
