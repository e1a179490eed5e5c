import { declareTasks, type Task, type Tasks } from '../../../console/browser/tasks/task.js';
import { openPlatform, type Platform } from '../../../console/platform.js';
import { openPortalStage } from '../open-portal-stage.js';

/** The most clicks from the home page to the answer. */
const MOST_CLICKS = 4;

/** The partner that does the tasks. Acme receives its events, and the endpoint of Hooli is paused. */
type Who = 'acme' | 'hooli';

/** Declares tasks of the developers of a partner, on a platform of each one's own. */
export function tasksOf(who: Who, tasks: Tasks<Platform>): readonly Task[] {
  const serve = (platform: Platform) => openPortalStage(platform, platform[who].partnerId);
  return declareTasks(openPlatform, serve, tasks, MOST_CLICKS);
}
