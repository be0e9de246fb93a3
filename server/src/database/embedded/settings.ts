/**
 * The settings of the embedded PostgreSQL: for a machine shared with the service, tens of millions of rows, and
 * solid-state disks. They are computed at every start, so that a larger machine or disk needs no edit.
 */
import { statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { walBytesMax } from './disk-space.ts';

export type ServerSettings = Readonly<Record<string, string | number>>;

const MEGABYTE = 1024 * 1024;
/** With less, parallel workers may run out of shared memory (containers have 64 MB by default). */
const SHARED_MEMORY_MIN = 512 * MEGABYTE;

/** Bytes this process may use: the machine's memory or the container's limit. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

function megabytes(bytes: number, from: number, to: number): string {
  return `${Math.round(Math.min(Math.max(bytes / MEGABYTE, from), to))}MB`;
}

/** @param freeBytes on the disk of the cluster */
export async function buildServerSettings(freeBytes: number): Promise<ServerSettings> {
  const memory = memoryBytes();
  const cores = availableParallelism();
  const walBytes = walBytesMax(freeBytes);
  const sharedMemory = await statfs('/dev/shm').catch(() => undefined);
  const roomy = sharedMemory === undefined || sharedMemory.bsize * sharedMemory.bavail >= SHARED_MEMORY_MIN;
  return {
    shared_buffers: megabytes(memory / 3, 128, 16_384),
    effective_cache_size: megabytes(memory * 0.6, 256, 1024 * 1024),
    work_mem: megabytes(memory / 512, 8, 64),
    maintenance_work_mem: megabytes(memory / 16, 64, 1024),
    max_connections: 200,
    max_worker_processes: Math.max(8, cores),
    max_parallel_workers: cores,
    max_parallel_workers_per_gather: Math.min(2, cores - 1),
    // Besides the process that asks for them; more than there are cores would make building an index slower.
    max_parallel_maintenance_workers: Math.min(4, cores - 1),
    // Nothing replicates from an embedded cluster.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: megabytes(walBytes, 64, 4096),
    min_wal_size: megabytes(walBytes / 2, 32, 256),
    // Most of what a publish writes reaches the disk before it commits, so the commit only waits for the rest.
    wal_writer_delay: '10ms',
    checkpoint_timeout: '15min',
    // Compilation costs more than it saves on statements of milliseconds.
    jit: 'off',
    random_page_cost: 1.1,
    track_io_timing: 'on',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // A statement whose client is gone ends within a second; only these systems can detect that.
    ...(['linux', 'darwin'].includes(process.platform) ? { client_connection_check_interval: '1s' } : {}),
    ...(process.platform === 'linux' && !roomy ? { dynamic_shared_memory_type: 'mmap' } : {}),
  };
}
