/** Removes the server that globalSetup has started. */
export default async function globalTeardown() {
  const { removePostgresServer } = /** @type {{ removePostgresServer?: () => Promise<void> }} */ (globalThis);
  await removePostgresServer?.();
}
