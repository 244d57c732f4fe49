import { getMetadataArgsStorage } from 'typeorm';
// Loading the modules registers their entities.
// oxlint-disable-next-line import/no-unassigned-import
import './src/app.module.js';
import { SchemaDataSource } from './src/database/data-source.js';
import { writerOptions } from './src/database/data-source-options.js';
import { loadSettings } from './src/settings/load-settings.js';

/** The data source of TypeORM's CLI: the very options that the service writes with, and all entities of its modules. */
export default new SchemaDataSource({
  ...writerOptions(loadSettings().database),
  entities: getMetadataArgsStorage().tables.map(({ target }) => target),
});
