import { readFileSync } from 'node:fs';

/** What a process takes of the memory, in MiB: now, and at the most so far. Linux only. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]);
  return { now: read('VmRSS') / 1_024, peak: read('VmHWM') / 1_024 };
}
