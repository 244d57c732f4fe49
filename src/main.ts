import { CommandLineError, HELP, readCommandLine } from './command-line.js';
import { INFO } from './docs/info.js';
import { StartFault } from './start-fault.js';
import { SettingsError } from './settings/settings.js';

async function main(): Promise<void> {
  const { asks, environment } = readCommandLine(process.argv.slice(2));
  if (asks) {
    process.stdout.write(asks === 'help' ? HELP : `${INFO.version}\n`);
  } else {
    // Whoever asks does not wait for the whole service to be loaded.
    const { start } = await import('./start.js');
    await start(environment);
  }
}

main().catch((error: unknown) => {
  const isExplained =
    error instanceof SettingsError || error instanceof StartFault || error instanceof CommandLineError;
  process.stderr.write(`${isExplained ? error.message : (error as Error).stack}\n`);
  process.exit(error instanceof CommandLineError ? 2 : 1);
});
