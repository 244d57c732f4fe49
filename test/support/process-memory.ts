import { readFileSync } from 'node:fs';
import type { ServiceProcess } from './service-process.js';

/** The peak of the resident memory of a process, in MiB. Linux only. */
export function peakMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1_024;
}

/** In MiB: V8's heap and Buffers, and all resident memory. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** For a service that reports its memory. */
export const MEASURED = { script: 'test/support/measured-service.cjs' };

/** The memory of such a service after a garbage collection. */
export async function memoryLeft(service: ServiceProcess): Promise<Memory> {
  // Clear the collected output, so that `says` finds only the new line.
  service.stdout = '';
  service.kill('SIGUSR2');
  const [line] = await service.says(/^\{"heap":.*\n/m);
  return JSON.parse(line) as Memory;
}
