import type { Act, Actor } from '../domain/audit.js';
import type { FilledInPorts } from '../fill-in-ports.js';
import type { RequestRecorder } from '../http/observer.js';
import type { MakePaths } from '../http/router.js';
import type { ActAsPartner } from '../operator/act-as-partner.js';
import type { CommandGroups } from '../operator/command/definition.js';
import type { PlanWorks } from '../operator/operations/operation-stepper.js';
import type { OperatorHooks, Runner } from '../operator/scope.js';
import type { PartnerHiringOptions } from '../options.js';
import type { PartnerApi } from '../partner/partner-api.js';
import type { WokenWorker } from '../worker/worker.js';
import type { Delivered, WorkerFeature } from '../worker/worker-parts.js';
import type { OperatorViews } from './operator-views.js';
import type { FeatureSettings } from './settings.js';

/** The declaration of a feature. The other parts of core read it, and name no feature themselves. */
export interface Feature {
  /** The name of its room in each package. */
  readonly name: string;
  /** The features whose files it imports. Leaving one of them out leaves this one out too. */
  readonly needs?: readonly string[];
  /** Checks the host's options for it. @throws OperatorError `MISCONFIGURED` */
  readonly checkOptions?: (options: { readonly [Name in keyof AnyOptions]?: unknown }) => void;
  /** Its commands, also those that it adds to a group of others. A function gets all commands that the audit records. */
  readonly commands?: CommandGroups | ((acts: readonly Act[]) => CommandGroups);
  /** The commands that do not run in a transaction of the host. */
  readonly commandsAlone?: CommandGroups;
  /** Makes its methods of the operator that are no commands. */
  readonly views?: (actAsPartner: ActAsPartner) => Partial<OperatorViews>;
  /** Returns its settings of the operator, from the host's options. */
  readonly settings?: (options: AnyOptions) => Partial<FeatureSettings>;
  /** What it does in the commands of others. */
  readonly hooks?: OperatorHooks;
  /** The work of its operations. */
  readonly plans?: PlanWorks;
  /** Makes its parts of a process. */
  readonly make?: (host: FeatureHost) => MadeFeature;
}

/** The options of a host, without the types of its transactions. */
export type AnyOptions = PartnerHiringOptions<never, never, never>;

/** The parts of a process that a feature gets. */
export interface FeatureHost {
  readonly options: AnyOptions;
  readonly ports: FilledInPorts<never, never>;
  /** Returns the worker, once all parts are made. */
  readonly worker: () => Pick<WokenWorker, 'rouse' | 'wakeTask'>;
  readonly actAsPartner: ActAsPartner;
  runnerAs(actor: Actor): Runner;
}

/** The parts of a feature in a process. */
export interface MadeFeature extends WorkerFeature {
  /** Its paths of the partner API. */
  readonly paths?: MakePaths;
  /** Wraps what partners may do. */
  readonly wrap?: (partner: PartnerApi) => PartnerApi;
  /** Called after the commit of submissions with a résumé. */
  readonly resumeSubmitted?: () => void;
  /** Records answered requests. */
  readonly recorder?: RequestRecorder;
  /** Called for each attempt that succeeds. */
  readonly delivered?: (delivered: Delivered, at: number) => void;
  /** Unregister its gauges. */
  readonly gauges?: readonly (() => void)[];
  /** Writes what it has in memory. Never rejects. */
  readonly flush?: () => Promise<void>;
  /** Writes what it has in memory, and stops. */
  readonly close?: () => Promise<void>;
}
