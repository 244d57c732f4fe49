import { Inject, Injectable } from '@nestjs/common';
import { ReaderShares } from '../../http/pipeline/reader-shares.js';
import { SETTINGS } from '../../settings/settings.module.js';
import type { Settings } from '../../settings/settings.js';

/** How many of the largest bodies streams may hold; each takes some times its size until it is sent. */
const LARGEST_BODIES = 2;
/** With a small MAX_BODY_BYTES there may be larger ones from before. */
const MIN_BYTES = 64 * 1_024 * 1_024;

/** For so long a stream, which may have sent its first bytes, waits for others to send such bodies. */
const MAX_WAIT_MS = 30_000;

/** Bounds the bytes of the large bodies that all streams together have read and not sent. */
@Injectable()
export class LargeBodies extends ReaderShares {
  constructor(@Inject(SETTINGS) { maxBodyBytes }: Pick<Settings, 'maxBodyBytes'>) {
    super(Math.max(LARGEST_BODIES * maxBodyBytes, MIN_BYTES), MAX_WAIT_MS);
  }
}
