/** Sends requests one after another over one connection, as a single user does. */
import { Agent, request as httpRequest } from 'node:http';

export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port) {
    this.port = port;
  }

  /** @returns {Promise<{ status: number, headers: Record<string, string>, text: string }>} */
  async send(path, { method = 'GET', headers = {}, body } = {}) {
    return new Promise((resolve, reject) => {
      const options = { port: this.port, host: '127.0.0.1', path, method, headers, agent: this.#agent };
      httpRequest(options, (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk) => (text += chunk))
          .on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
          .on('error', reject);
      })
        .on('error', reject)
        .end(body);
    });
  }

  /**
   * The quantiles of the response times. Each path must be new, because the service would not query its database again
   * for a repeated one.
   *
   * @param {readonly string[]} paths
   */
  async times(paths, headers = {}) {
    const times = [];
    for (const path of paths) {
      const startedAt = performance.now();
      const { status, text } = await this.send(path, { headers });
      times.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
    }
    return quantiles(times);
  }

  close() {
    this.#agent.destroy();
  }
}

export function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99), highest: at(1) };
}

/** Repeats some work with pauses. @returns {() => Promise<number[]>} stops it and returns the times */
export function repeat(pauseMs, work) {
  const times = [];
  const stop = new AbortController();
  const done = (async () => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      await work();
      times.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return async () => {
    stop.abort();
    await done;
    return times;
  };
}
