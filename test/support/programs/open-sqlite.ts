/** Opens a SQLite file when its parent sends the path, adds a partner, and ends. */
import { createSqliteStorage } from '../../../packages/sqlite/src/index.js';

process.once('message', async (file: string) => {
  const storage = await createSqliteStorage({ file });
  await storage.direct.partners.add({ id: `ptn_${process.pid}`, name: 'P', createdAt: 1 });
  await storage.close();
  process.disconnect();
});
process.send?.('ready');
