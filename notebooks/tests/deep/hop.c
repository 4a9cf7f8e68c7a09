/* Passes a cache line back and forth between two CPUs, for comparison with the study hops:
 *   hop FIRST SECOND HOPS
 * Prints the nanoseconds per hop for every line that it reads; both threads sleep in between. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct {
    char before[256];
    atomic_long turn;
    char after[256];
} line;

static long hops;
static int cpus[2];
static sem_t start_signal, end;

static void pin(int cpu) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(cpu, &mask);
    if (pthread_setaffinity_np(pthread_self(), sizeof mask, &mask) != 0) exit(2);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static void await_turn(long turn) {
    while (atomic_load_explicit(&line.turn, memory_order_acquire) < turn) {
    }
}

/* The first sixteenth is not timed: the other thread may still be waking up. */
static double rally(long odd) {
    double start = 0;
    for (long hop = odd; hop < hops; hop += 2) {
        await_turn(hop);
        if (hop <= hops / 16) start = now();
        atomic_store_explicit(&line.turn, hop + 1, memory_order_release);
    }
    await_turn(hops);
    return (now() - start) / (hops - hops / 16);
}

static void *serve(void *unused) {
    (void)unused;
    pin(cpus[1]);
    for (;;) {
        sem_wait(&start_signal);
        rally(1);
        sem_post(&end);
    }
}

int main(int count, char **words) {
    if (count != 4) return 2;
    cpus[0] = atoi(words[1]);
    cpus[1] = atoi(words[2]);
    hops = atol(words[3]);
    pthread_t other;
    sem_init(&start_signal, 0, 0);
    sem_init(&end, 0, 0);
    if (pthread_create(&other, NULL, serve, NULL) != 0) return 2;
    pin(cpus[0]);
    while (getchar() != EOF) {
        atomic_store(&line.turn, 0);
        sem_post(&start_signal);
        printf("%.2f\n", rally(0));
        fflush(stdout);
        sem_wait(&end);
    }
    return 0;
}
