import type { HttpResponse, RequestOptions } from './http-client.js';
import { type Service, startService } from './service.js';

export const PASSWORD = 'correct horse battery';

export type Role = 'viewer' | 'editor' | 'administrator';

export interface AccountJson {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly is_enabled: boolean;
  readonly created_at: string;
  readonly last_login_at: string | null;
}

export interface SessionJson {
  readonly token: string;
  readonly expires_at: string;
  readonly account: Pick<AccountJson, 'id' | 'username' | 'role'>;
}

export interface TokenJson {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly role: Role;
  readonly token: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

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
    readonly session: SessionJson,
    private readonly password: string,
  ) {}

  static async logIn(service: Service, username = 'admin', password = PASSWORD): Promise<AdminClient> {
    const response = await tryLogIn(service, username, password);
    expect(response.status).toBe(201);
    return new AdminClient(service, response.json<SessionJson>(), password);
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
  }: { username?: string; password?: string; role?: Role } = {}): Promise<AccountJson> {
    const response = await this.tryAddAccount({ username, password, ...more });
    expect(response.status).toBe(201);
    return response.json<AccountJson>();
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

  async makeToken(
    json: object = {},
  ): Promise<TokenJson & { readonly headers: Headers; readonly shown: TokenJson }> {
    const made = await this.send('POST', 'tokens/', {
      name: 'a program',
      current_password: this.password,
      ...json,
    });
    expect(made.status).toBe(201);
    const shown = made.json<TokenJson>();
    return { ...shown, shown, headers: bearer(shown.token) };
  }
}

/** A service with a session of the account `admin`. */
export interface AdminService {
  readonly service: Service;
  readonly admin: AdminClient;
  /** The header fields of a request from the administration site. */
  readonly asAdmin: { readonly Authorization: string };
}

/** Behind a proxy, so that each test can log in from its own address. */
export async function startAdminService(environment: Record<string, string> = {}): Promise<AdminService> {
  const service = await startService({ ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: '1', ...environment });
  const admin = await AdminClient.logIn(service);
  return { service, admin, asAdmin: admin.headers };
}
