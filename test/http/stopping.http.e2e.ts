import { jest } from '@jest/globals';
import { request as openRequest } from 'node:http';
import { DiscardedBodies } from '../../src/http/response/discarded-bodies.js';
import { InFlightRequests } from '../../src/http/server/in-flight-requests.js';
import { responseTo } from '../support/http-client.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

// test/cli/graceful-stop.process.ts stops whole processes.
describe('the last call of a service that stops', () => {
  it('refuses unfinished requests at once, and those that still come, but for its health', async () => {
    const service = await startService();
    const inFlight = service.app.get(InFlightRequests);
    const patience = jest.spyOn(service.app.get(DiscardedBodies), 'waitForEnd');
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
    const request = openRequest(`${service.origin}/posts/`, { method: 'POST', headers });
    const unfinished = responseTo(request);
    request.write('{');
    await service.untilInFlight(1);
    inFlight.drain();
    inFlight.refuseUnfinished();
    expect((await unfinished).status).toBe(503);
    expect(patience).not.toHaveBeenCalled();
    request.destroy();
    const refused = [await service.get('/posts/'), await service.post(aPost())];
    for (const { problem } of refused)
      expect(problem).toMatchObject({ status: 503, code: 'service-unavailable' });
    expect((await service.get('/health/live')).status).toBe(200);
  });
});
