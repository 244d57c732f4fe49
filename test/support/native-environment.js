// This file is JavaScript: it is part of jest's configuration, which jest does not transpile.
import { TestEnvironment } from 'jest-environment-node';
import { requireNatively } from './native-modules.js';

/** A test may provoke many; the last ones are about its failure. */
const MAX_REFUSALS = 3;

/** jest's Node environment, adapted to the modules that Node loads natively (native-modules.js). */
export default class NativeEnvironment extends TestEnvironment {
  #variables = { ...process.env };

  /** @param {ConstructorParameters<typeof TestEnvironment>} parameters */
  constructor(...parameters) {
    super(...parameters);
    // Share these with the natively loaded modules: tests mock the clock and change environment variables, and
    // decorators store their metadata in `Reflect`.
    Object.assign(this.global, { requireNatively, Date, Reflect });
    this.global.process.env = process.env;
  }

  /**
   * Adds to the message of a failure what the services of its file have said since the test started: their last refusals,
   * because a test that expects 201 shows only the status, with the lines of the log that have the id of the request; and
   * the errors that they have logged.
   *
   * @param {{ name: string, error?: unknown }} event
   */
  handleTestEvent({ name, error }) {
    if (name === 'test_start') Object.assign(this.global, { loggedErrors: [], refusals: [] });
    if (name !== 'test_fn_failure' && name !== 'hook_failure') return;
    const refusals = /** @type {(() => string)[]} */ (this.global['refusals'] ?? []);
    const loggedErrors = /** @type {object[]} */ (this.global['loggedErrors'] ?? []);
    const said = [
      ...refusals.slice(-MAX_REFUSALS).map((describe) => describe()),
      ...loggedErrors.map((logged) => `Logged by the service: ${JSON.stringify(logged, null, 2)}`),
    ];
    if (said.length > 0) addToMessage(error, said.join('\n'));
  }

  /** @override */
  async teardown() {
    this.moduleMocker?.restoreAllMocks();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    await super.teardown();
  }
}

/**
 * Adds lines to the message of an error, as jest shows it: in its stack.
 *
 * @param {any} error what a test has thrown
 * @param {string} lines
 */
function addToMessage(error, lines) {
  if (typeof error?.stack !== 'string') return;
  error.stack = error.stack.replace(error.message, () => `${error.message}\n\n${lines}`);
}
