import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Environment, readSettings, type Settings, SettingsError } from './settings.js';

/**
 * Loads the settings of this process: its environment, which overrides `.env` in the working directory.
 *
 * Nothing else reads `process.env`, except for the variables that npm sets.
 *
 * @param overrides settings of the command line, which override the environment
 * @throws {SettingsError} with all faults, or with the single fault that `.env` cannot be read
 */
export function loadSettings(overrides: Environment = {}, folder = process.cwd()): Settings {
  const environment = { ...readDotEnv(folder), ...setVariables(overrides) };
  return readSettings(environment, { isTerminal: process.stdout.isTTY });
}

/**
 * How a start is logged, which may fail because of its settings: LOG_LEVEL and LOG_FORMAT, or their defaults where they
 * cannot be read.
 */
export function loadLogging(
  overrides: Environment = {},
  folder = process.cwd(),
): Pick<Settings, 'logLevel' | 'logFormat'> {
  const environment: Environment = { ...orEmpty(() => readDotEnv(folder)), ...setVariables(overrides) };
  const { LOG_LEVEL, LOG_FORMAT } = environment;
  const isTerminal = process.stdout.isTTY;
  const { logLevel, logFormat } = readSettings({}, { isTerminal });
  return {
    logLevel: orEmpty(() => readSettings({ LOG_LEVEL }, { isTerminal })).logLevel ?? logLevel,
    logFormat: orEmpty(() => readSettings({ LOG_FORMAT }, { isTerminal })).logFormat ?? logFormat,
  };
}

/** What was read; nothing where it cannot be read. */
function orEmpty<Result>(read: () => Result): Partial<Result> {
  try {
    return read();
  } catch {
    return {};
  }
}

/**
 * An empty variable counts as not set, so it overrides nothing: `API_TOKENS=` from an unset variable of a compose file must
 * not open a service that `.env` protects.
 */
function setVariables(overrides: Environment): Environment {
  const all = [process.env, overrides].flatMap((each) => Object.entries(each));
  return Object.fromEntries(all.filter(([, text]) => text));
}

function readDotEnv(folder: string): Environment {
  const path = join(folder, '.env');
  try {
    // Skips a byte order mark, which parseEnv would treat as part of the first name.
    return parseEnv(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    // Not the error's message, which has the path.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new SettingsError([`.env: must be a UTF-8 text that this process can read (${code})`]);
  }
}

/**
 * The npm script that started the program from the project's folder, such as `start`; undefined when the program was
 * started as the command `posts-service`.
 */
export function npmScript(environment: Environment = process.env): string | undefined {
  const { npm_package_name: project, npm_lifecycle_event: script } = environment;
  return project === 'posts-service' && script !== 'npx' ? script : undefined;
}
