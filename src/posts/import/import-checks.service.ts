import { Inject, Injectable } from '@nestjs/common';
import type { InputFault } from '../../problem-details/input-fault.js';
import { SETTINGS } from '../../settings/settings.module.js';
import type { Settings } from '../../settings/settings.js';
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

  /** @throws BodyTooLarge when a line is */
  async check(body: AsyncIterable<Buffer>): Promise<ImportCheck> {
    let lines = 0;
    const faults: (InputFault & { line: number })[] = [];
    for await (const line of readImportLines(body, this.settings.maxBodyBytes)) {
      lines += 1;
      if (!line.post) faults.push(...line.faults);
    }
    return { lines, faults };
  }
}
