/** What other rooms may use of the limits: the part of a resource that one client may hold. */
export { type Client, ClientQuota, type Release } from './client-quota.js';
