import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Settings } from '../settings/settings.js';
import { StartFault } from './start-fault.js';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program; stop that one, or set PORT',
  EACCES: 'may not be listened on by this user; set PORT to 1024 or higher',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST',
};

/** @throws StartFault when the address cannot be listened on */
export async function listen(
  app: NestExpressApplication,
  { host, port }: Pick<Settings, 'host' | 'port'>,
): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (cause) {
    const explanation = EXPLANATIONS[(cause as { code?: string }).code ?? ''];
    await app.close();
    if (explanation === undefined) throw cause;
    throw new StartFault(`${host}:${port} ${explanation}.`, { cause });
  }
}
