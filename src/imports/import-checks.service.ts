import { Inject, Injectable } from '@nestjs/common';
import type { MemoryLease } from '../http/request/body-memory.js';
import type { InputFault } from '../problem-details/input-fault.js';
import { SETTINGS } from '../settings/settings.module.js';
import type { Settings } from '../settings/settings.js';
import { readImportLines } from './import-lines.js';

/** What an import would meet with. */
export interface ImportCheck {
  /** How many lines there are, without the blank ones. */
  readonly lines: number;
  /** The first hundred. */
  readonly faults: readonly (InputFault & { readonly line: number })[];
}

/** Reads an import as if it was to be stored, and stores nothing. */
@Injectable()
export class ImportChecksService {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * @param memory where the beginning of a long line takes its memory from
   * @throws BodyTooLarge when a line is
   */
  async check(body: AsyncIterable<Buffer>, memory: MemoryLease | undefined): Promise<ImportCheck> {
    const limits = { maxLineBytes: this.settings.maxBodyBytes, memory };
    let lines = 0;
    const faults: (InputFault & { line: number })[] = [];
    for await (const line of readImportLines(body, limits)) {
      lines += 1;
      if (!line.post) faults.push(...line.faults);
    }
    return { lines, faults };
  }
}
