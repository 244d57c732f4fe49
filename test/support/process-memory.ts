import { readFileSync } from 'node:fs';

/** The resident memory of a process in MiB: now, and its peak. Linux only. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]);
  return { now: read('VmRSS') / 1_024, peak: read('VmHWM') / 1_024 };
}
