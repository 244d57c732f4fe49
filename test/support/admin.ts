import { type Service, startService } from './service.js';

const PASSWORD = 'correct horse battery';

/** A service with a session of the account `admin`. */
export interface AdminService {
  readonly service: Service;
  /** The header fields of a request from the administration site. */
  readonly asAdmin: { readonly Authorization: string };
}

export async function startAdminService(environment: Record<string, string> = {}): Promise<AdminService> {
  const service = await startService({ ADMIN_PASSWORD: PASSWORD, ...environment });
  const response = await service.request('POST', '/admin/api/sessions/', {
    json: { username: 'admin', password: PASSWORD },
  });
  expect(response.status).toBe(201);
  return { service, asAdmin: { Authorization: `Bearer ${response.json<{ token: string }>().token}` } };
}
