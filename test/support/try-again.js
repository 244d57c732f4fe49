import { jest } from '@jest/globals';

// A page is drawn when the browser finds the time. What fails for that reason is told, and tried again.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
