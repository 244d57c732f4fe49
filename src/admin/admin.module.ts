import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DocsModule } from '../docs/docs.module.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { ApiTokensController } from './api-tokens/api-tokens.controller.js';
import { DescriptionController } from './description/description.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SiteController } from './site/site.controller.js';
import { SiteFiles } from './site/site-files.js';

/** The administration site, and what it needs besides the public API. */
@Module({
  imports: [AccountsModule, DocsModule],
  controllers: [
    SessionsController,
    AccountsController,
    ApiTokensController,
    DescriptionController,
    SiteController,
  ],
  providers: [{ provide: SiteFiles, useFactory: () => new SiteFiles() }],
})
export class AdminModule {}
