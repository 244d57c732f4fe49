import { Module } from '@nestjs/common';
import { TemporaryFiles } from './temporary-files.js';

/** Gives what must wait on the disk its part of it. One for the application, because all parts are counted together. */
@Module({ providers: [TemporaryFiles], exports: [TemporaryFiles] })
export class TemporaryFilesModule {}
