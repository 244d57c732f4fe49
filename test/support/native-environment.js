// In JavaScript, because it is a part of jest's own configuration, which jest does not transpile.
import { TestEnvironment } from 'jest-environment-node';
import { AsyncLocalStorage } from 'node:async_hooks';
import { requireNatively } from './native-modules.js';

/**
 * What entered the storages of this process since the last file. jest loads one for every test file and leaves it; each
 * of them makes every promise of all later files slower on Node 20.
 *
 * @type {Set<AsyncLocalStorage<unknown>>}
 */
const storages = new Set();
Object.assign(AsyncLocalStorage.prototype, {
  run: new Proxy(Reflect.get(AsyncLocalStorage.prototype, 'run'), {
    apply(run, storage, parameters) {
      storages.add(storage);
      return Reflect.apply(run, storage, parameters);
    },
  }),
});

/** Node's environment of a test file, in which the modules that jest takes from Node (native-modules.js) feel at home. */
export default class NativeEnvironment extends TestEnvironment {
  #variables = { ...process.env };

  /** @param {ConstructorParameters<typeof TestEnvironment>} parameters */
  constructor(...parameters) {
    super(...parameters);
    // What a test does to the clock or to the environment variables is done to these modules, too; and the types that its
    // decorators note in `Reflect` are found by them.
    Object.assign(this.global, { requireNatively, Date, Reflect });
    this.global.process.env = process.env;
  }

  /** @override */
  async teardown() {
    this.moduleMocker?.restoreAllMocks();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
}
