import { Api } from './api.js';
import { LogInAgain } from './log-in-again.js';
import { Session } from './session.js';

/** Where the site stands, `/admin/` below the service's prefix: the service writes it into <base href>. */
export const SITE = new URL(document.baseURI);

export const session = new Session(sessionStorage);
export const logInAgain = new LogInAgain();
export const api = new Api(new URL('..', SITE).href, session, logInAgain);
