import { Reflector } from '@nestjs/core';
import type { Role } from './author.js';

/**
 * The lowest role that a known user needs for an operation; `anyone` allows every request. Required on every handler
 * that writes. Without it a handler that reads is open.
 */
export const Roles = Reflector.createDecorator<Role | 'anyone'>();
