import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from './settings.js';

/** Injects the `Settings`: `@Inject(SETTINGS) private readonly settings: Settings`. */
export const SETTINGS = Symbol('Settings');

/** Offers the settings to every module; they are loaded before Nest starts, so that a fault stops it early. */
@Module({})
export class SettingsModule {
  static of(settings: Settings): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS],
    };
  }
}
