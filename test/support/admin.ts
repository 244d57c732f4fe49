import type { AccountDto } from '../../src/admin/accounts.controller.js';
import type { IssuedApiTokenDto } from '../../src/admin/api-tokens.controller.js';
import type { NewSessionDto } from '../../src/admin/sessions.controller.js';
import type { Role } from '../../src/users/user.js';
import type { HttpResponse, RequestOptions } from './http-client.js';
import { type Service, startService } from './service.js';

export const PASSWORD = 'correct horse battery';

export type Headers = Readonly<Record<string, string>>;

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

let addresses = 0;
/** A client address of its own, for a service behind a proxy (TRUST_PROXY). */
export const newAddress = () => ({ 'X-Forwarded-For': `198.51.100.${(addresses += 1)}` });

export function tryLogIn(
  service: Service,
  username: unknown,
  password: unknown = PASSWORD,
  headers: RequestOptions['headers'] = newAddress(),
): Promise<HttpResponse> {
  const target = `${service.baseUrl}/admin/api/sessions/`;
  return service.request('POST', target, { json: { username, password }, headers });
}

let names = 0;

/** A client of the administration that is logged in. */
export class AdminClient {
  private constructor(
    private readonly service: Service,
    readonly session: NewSessionDto,
    private readonly password: string,
  ) {}

  static async logIn(service: Service, username = 'admin', password = PASSWORD): Promise<AdminClient> {
    const response = await tryLogIn(service, username, password);
    expect(response.status).toBe(201);
    return new AdminClient(service, response.json<NewSessionDto>(), password);
  }

  get id(): number {
    return this.session.account.id;
  }

  get username(): string {
    return this.session.account.username;
  }

  get headers(): { readonly Authorization: string } {
    return bearer(this.session.token);
  }

  /** @param path below `/admin/api/`, or a whole path */
  send(method: string, path: string, json?: unknown): Promise<HttpResponse> {
    const target = path.startsWith('/') ? path : `/admin/api/${path}`;
    return this.service.request(method, this.service.baseUrl + target, {
      headers: this.headers,
      ...(json !== undefined && { json }),
    });
  }

  get(path: string): Promise<HttpResponse> {
    return this.send('GET', path);
  }

  /** Adds an account, unless the values are refused. */
  tryAddAccount(json: object): Promise<HttpResponse> {
    return this.send('POST', 'accounts/', { current_password: this.password, ...json });
  }

  /** Adds an account with a name of its own. */
  async addAccount({
    username = `person ${(names += 1)}`,
    password = PASSWORD,
    ...more
  }: { username?: string; password?: string; role?: Role } = {}): Promise<AccountDto> {
    const response = await this.tryAddAccount({ username, password, ...more });
    expect(response.status).toBe(201);
    return response.json<AccountDto>();
  }

  /** Adds an account and logs in to it. */
  async addPerson(role?: Role): Promise<AdminClient> {
    const { username } = await this.addAccount(role ? { role } : {});
    return AdminClient.logIn(this.service, username);
  }

  /** Changes an account, with the password that confirms it. */
  change({ id }: { readonly id: number }, json: object): Promise<HttpResponse> {
    return this.send('PUT', `accounts/${id}/`, { current_password: this.password, ...json });
  }

  /** Makes an API token. @returns it, also as the service has shown it, and the header fields of its requests */
  async makeToken(json: object = {}) {
    const value = { name: 'a program', current_password: this.password, ...json };
    const made = await this.send('POST', 'tokens/', value);
    expect(made.status).toBe(201);
    const shown = made.json<IssuedApiTokenDto>();
    return { ...shown, shown, headers: bearer(shown.token) };
  }
}

/**
 * A service with a session of the account `admin`. It is behind a proxy, so that each test can log in from its own
 * address. `asAdmin` are the header fields of a request from the administration site.
 */
export async function startAdminService(environment: Record<string, string> = {}) {
  const service = await startService({ ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: '1', ...environment });
  const admin = await AdminClient.logIn(service);
  return { service, admin, asAdmin: admin.headers };
}
