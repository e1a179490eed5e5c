import type { ResumeFileTask } from '../domain/resume.js';

/** Memory of a few hundred kilobytes. A forgotten host fails once more. */
const MOST_HOSTS = 1_000;

/** Bounds the downloads from a host that fails to half of the concurrent ones, so that the others have room. */
export function createFailingHosts(concurrency: number) {
  const failing = new Set<string>();
  return {
    /** Returns whether the task's host fails, and has as many downloads in progress as it may have. */
    isFull(task: ResumeFileTask, inProgress: Iterable<ResumeFileTask>): boolean {
      const host = hostOf(task);
      if (task.attempts === 0 && !failing.has(host)) return false;
      return [...inProgress].filter((other) => hostOf(other) === host).length >= concurrency / 2;
    },
    /** Records whether the last download from the task's host failed in a way that is retried. */
    record(task: ResumeFileTask, isFailing: boolean): void {
      if (failing.size >= MOST_HOSTS) failing.clear();
      if (isFailing) failing.add(hostOf(task));
      else failing.delete(hostOf(task));
    },
  };
}

function hostOf({ url }: ResumeFileTask): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
