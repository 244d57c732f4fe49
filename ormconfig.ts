import { getMetadataArgsStorage } from 'typeorm';
// Loading the modules registers their entities.
// oxlint-disable-next-line import/no-unassigned-import
import './src/app.module.js';
import { writerOptions } from './src/database/data-source-options.js';
import { createDataSource } from './src/database/open-database.js';
import { loadSettings } from './src/settings/load-settings.js';

/** The data source of TypeORM's CLI: the very options that the service writes with, and all entities of its modules. */
export default createDataSource({
  ...writerOptions(loadSettings().database),
  entities: getMetadataArgsStorage().tables.map(({ target }) => target),
});
