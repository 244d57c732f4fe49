import { Module } from '@nestjs/common';
import { EntryPointController } from './entry-point.controller.js';

@Module({ controllers: [EntryPointController] })
export class EntryPointModule {}
