export type { FileSystem } from './doctor/check.js';
export type { PackageVersions } from './doctor/checks/settings.js';
export type { DatabaseAddress } from './doctor/database/address.js';
export type { DoctorLimits } from './doctor/limits.js';
export {
  type DoctorReport,
  type DoctorResult,
  doctorExitCode,
  doctorText,
  type Finding,
  type FindingState,
} from './doctor/report.js';
export { type DoctorContext, runDoctor } from './doctor/run-doctor.js';
export type { StepEffect } from './migrate/describe-step.js';
export {
  type MigrateMode,
  type MigrateOptions,
  type MigrateResult,
  migrateText,
  type PlannedMigration,
  runMigrate,
} from './migrate/run-migrate.js';
export { type CommandLineOptions, runCommandLine } from './run-command-line.js';
export type { CommandLineOutput, OpenedOperator } from './run-program.js';
