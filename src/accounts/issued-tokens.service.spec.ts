import { jest } from '@jest/globals';
import type { Logger } from 'pino';
import type { ApiTokensRepository } from './api-tokens.repository.js';
import { issueToken, SESSION_TOKEN } from './issued-token.js';
import { IssuedTokensService } from './issued-tokens.service.js';
import type { SessionsRepository } from './sessions.repository.js';

afterEach(() => {
  jest.useRealTimers();
});

describe('the use of a session', () => {
  it('succeeds when it cannot be recorded, is logged once, and is tried again a minute later', async () => {
    jest.useFakeTimers({ now: Date.UTC(2026, 10, 23, 12), doNotFake: ['nextTick', 'queueMicrotask'] });
    const warn = jest.fn();
    const extend = jest.fn(() => Promise.reject(new Error('disk full')));
    const owner = {
      accountId: 1,
      username: 'admin',
      role: 'administrator',
      begunAt: '2026-11-23T11:00:00.000Z',
      expiresAt: '2026-11-23T12:30:00.000Z',
    };
    const service = new IssuedTokensService(
      { findOwner: () => Promise.resolve(owner), extend } as unknown as SessionsRepository,
      {} as ApiTokensRepository,
      { warn } as unknown as Logger,
    );
    const token = issueToken(SESSION_TOKEN);
    const use = async () => {
      expect(await service.findUser(token)).toMatchObject({ id: 'account:1', role: 'administrator' });
      await service.onModuleDestroy();
    };
    for (let n = 0; n < 3; n += 1) await use();
    expect([extend.mock.calls.length, warn.mock.calls.length]).toEqual([1, 1]);
    jest.setSystemTime(Date.UTC(2026, 10, 23, 12, 1));
    await use();
    expect(extend.mock.calls.length).toBe(2);
  });
});
