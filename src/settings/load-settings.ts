import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import {
  type Environment,
  FILE_VARIABLES,
  readSettings,
  type Settings,
  SettingsError,
  VARIABLES,
} from './settings.js';

/**
 * Loads the settings of this process: its environment, which overrides `.env` in the working directory.
 *
 * Nothing else reads `process.env`, except for the variables that npm sets.
 *
 * @param overrides settings of the command line, which override the environment
 * @throws {SettingsError} with all faults, or with those of `.env` alone where it cannot be read
 */
export function loadSettings(overrides: Environment = {}, folder = process.cwd()): Settings {
  const environment = { ...readDotEnv(folder), ...setVariables(overrides) };
  const { values, faults } = readFiles(environment);
  return readSettings({ ...environment, ...values }, { isTerminal: process.stdout.isTTY, faults });
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

/** The values of the variables whose files the environment names, and the faults of these files. */
function readFiles(environment: Environment): { values: Environment; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const [fileVariable, variable] of Object.entries(FILE_VARIABLES)) {
    const path = environment[fileVariable];
    if (!path) continue;
    const text = readText(path);
    // Of two values, the one that is not meant might be used.
    if (environment[variable]) faults.push(`${fileVariable}: must not be set beside ${variable}`);
    else if (text === undefined)
      faults.push(`${fileVariable}: must name a UTF-8 file that this process can read`);
    else if (text === '') faults.push(`${fileVariable}: must name a file that is not empty`);
    else values[variable] = text;
  }
  return { values, faults };
}

/** @returns the text without one line break at its end; undefined when it cannot be read */
function readText(path: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return text.replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}

function readDotEnv(folder: string): Environment {
  const path = join(folder, '.env');
  let text: string;
  try {
    // Skips a byte order mark, which parseEnv would treat as part of the first name.
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    // Not the error's message, which has the path.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new SettingsError([`.env: must be a UTF-8 text that this process can read (${code})`]);
  }
  const variables = readVariables(text);
  const faults = unreadSettings(text, variables).map((name) => `.env: must have = after ${name}`);
  if (faults.length > 0) throw new SettingsError(faults);
  return variables;
}

/** Node 20 reads a line without `=` as a part of the name behind it, which would be lost; later versions skip it. */
function readVariables(text: string): Environment {
  const variables = Object.entries(parseEnv(text));
  return Object.fromEntries(
    variables.map(([name, value]) => [name.replace(/^.*\n\s*(?:export\s+)?/s, ''), value]),
  );
}

/** The settings of lines such as `API_TOKENS: secret`, which parseEnv skips: writes would stay open. */
function unreadSettings(text: string, variables: Environment): string[] {
  return [...Object.keys(VARIABLES), ...Object.keys(FILE_VARIABLES)].filter((name) => {
    const line = new RegExp(String.raw`^[ \t]*(?:export[ \t]+)?${name}(?:[ \t]*:|[ \t]+[^=\s])`, 'm');
    return variables[name] === undefined && line.test(text);
  });
}

/**
 * The npm script that started the program from the project's folder, such as `start`; undefined when the program was
 * started as the command `posts-service`.
 */
export function npmScript(environment: Environment = process.env): string | undefined {
  const { npm_package_name: project, npm_lifecycle_event: script } = environment;
  return project === 'posts-service' && script !== 'npx' ? script : undefined;
}

/** Whether npm has read an option of ours as one of its own, because no `--` stood before it. */
export function isTakenByNpm(option: string, environment: Environment = process.env): boolean {
  return Boolean(environment[`npm_config_${option.replaceAll('-', '_')}`]);
}
