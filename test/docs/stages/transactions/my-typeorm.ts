import { DataSource, EntitySchema } from 'typeorm';

export const PayrollEntry = new EntitySchema<{ application_id: string }>({
  name: 'payroll_entry',
  columns: { application_id: { type: 'text', primary: true } },
});

export const dataSource = new DataSource({
  type: 'postgres',
  url: process.env.DATABASE_URL ?? '',
  entities: [PayrollEntry],
});
await dataSource.initialize();
