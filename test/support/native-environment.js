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
   * When a test fails, prints what the services of its file have said since it started: their last refusals, because a
   * test that expects 201 shows only the status, with the lines of the log that have the id of the request; and the errors
   * that they have logged.
   *
   * @param {{ name: string }} event
   */
  handleTestEvent(event) {
    if (event.name === 'test_start') Object.assign(this.global, { loggedErrors: [], refusals: [] });
    if (event.name !== 'test_fn_failure') return;
    const refusals = /** @type {(() => string)[]} */ (this.global['refusals'] ?? []);
    for (const describe of refusals.slice(-MAX_REFUSALS)) process.stderr.write(`${describe()}\n`);
    const errors = /** @type {object[]} */ (this.global['loggedErrors'] ?? []);
    for (const error of errors)
      process.stderr.write(`Logged by the service: ${JSON.stringify(error, null, 2)}\n`);
  }

  /** @override */
  async teardown() {
    this.moduleMocker?.restoreAllMocks();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    await super.teardown();
  }
}
