import { StartFault } from '../settings/start-fault.js';
import { loadSettings } from '../settings/load-settings.js';
import type { Settings } from '../settings/settings.js';
import { backup } from './backup.js';
import { restore } from './restore.js';

interface Command {
  readonly usage: string;
  readonly run: (settings: Settings, parameters: readonly string[]) => Promise<string>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  backup: { usage: 'backup FILE', run: backup },
  restore: { usage: 'restore FILE', run: restore },
};

const [name = '', ...parameters] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
try {
  if (!command || parameters.length !== command.usage.split(' ').length - 1) {
    const usages = Object.values(COMMANDS).map(({ usage }) => `  npm run posts -- ${usage}`);
    throw new StartFault(['Usage:', ...usages].join('\n'));
  }
  process.stdout.write(`${await command.run(loadSettings(), parameters)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof StartFault ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
