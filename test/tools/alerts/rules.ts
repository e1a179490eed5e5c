import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { RULES_FOLDER } from './prometheus-server.js';

/** A rule of `alerts.yml` that alerts. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly within: string; readonly runbook_url: string };
}

/** A rule that stores the result of a query under a name. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly (Alert | RecordingRule)[] }[];
}

/** Reads all rules of the example. */
export function readRules(): readonly (Alert | RecordingRule)[] {
  const file = parseYaml(readFileSync(join(RULES_FOLDER, 'alerts.yml'), 'utf8')) as RuleFile;
  return file.groups.flatMap(({ rules }) => rules);
}

/** Reads the rules that alert. */
export function readAlerts(): readonly Alert[] {
  return readRules().filter((rule) => 'alert' in rule);
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** A query of a panel of the dashboard. */
export interface PanelQuery {
  readonly panel: string;
  readonly expr: string;
}

/** Reads all queries of the dashboard. */
export function readPanelQueries(): readonly PanelQuery[] {
  const file = join(RULES_FOLDER, '../grafana/dashboard.json');
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as Dashboard;
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ panel: title, expr })));
}
