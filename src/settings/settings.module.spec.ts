import { Inject, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { readSettings, type Settings } from './settings.js';
import { SETTINGS, SettingsModule } from './settings.module.js';

@Injectable()
class Reader {
  constructor(@Inject(SETTINGS) readonly settings: Settings) {}
}

@Module({ providers: [Reader] })
class ReaderModule {}

describe('SettingsModule', () => {
  it('offers the settings to modules that do not import it', async () => {
    const settings = readSettings({}, { isTerminal: false });
    const app = await Test.createTestingModule({
      imports: [SettingsModule.of(settings), ReaderModule],
    }).compile();
    expect(app.get(Reader).settings).toBe(settings);
    await app.close();
  });
});
