import { readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { warnOnce } from '@partner-hiring/storage-kysely';

/** The file systems of shared folders and other machines, on which locks or shared memory may not work. */
const SHARED =
  /^(?:fuse(?:blk|\..+)?|virtiofs|9p|drvfs|v9fs|fakeowner|grpcfuse|osxfs|vboxsf|vmhgfs|prl_fs|nfs\d?|smb\w*|cifs|afpfs|webdav|davfs2?|sshfs|s3fs|gcsfuse|ceph|glusterfs|lustre|gpfs|afs|ocfs2|gfs2?|beegfs|efs)$/i;

/** FUSE file systems whose disk is on this machine. */
const LOCAL_FUSE = /^fuse\.(?:ext[234]|ntfs(?:-3g)?|zfs|xfs|overlay|fuse-overlayfs|bcachefs)$/i;

/** Returns whether SQLite's locks or its log may fail on a file system of this name. */
export function isShared(fileSystem: string): boolean {
  return SHARED.test(fileSystem) && !LOCAL_FUSE.test(fileSystem);
}

/**
 * Returns the type of the file system that contains an absolute path, such as `nfs4`, or null if no mount point
 * matches. The longest matching mount point wins. If two mounts have the same mount point, the later line wins, because
 * it hides the earlier mount.
 * @param mounts - the text of `/proc/mounts`.
 */
export function fileSystemOf(path: string, mounts: string): string | null {
  let longest = -1;
  let found: string | null = null;
  for (const line of mounts.split('\n')) {
    const [, escaped, name] = line.split(' ');
    if (escaped === undefined || name === undefined) continue;
    const point = unescaped(escaped);
    const isInFront = path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`);
    if (!isInFront || point.length < longest) continue;
    longest = point.length;
    found = name;
  }
  return found;
}

/** Blanks, tabs, line breaks and backslashes are octal, such as `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/**
 * Returns the name of the file's file system, such as `virtiofs`, if SQLite's locks may not work on it. Follows links.
 * Returns null if the file is on a local disk, or if the operating system does not tell.
 * @param mounts - a file like `/proc/mounts`. For tests.
 */
export function sharedFileSystemOf(file: string, mounts = '/proc/self/mounts'): string | null {
  try {
    const name = fileSystemOf(realPathOf(resolve(file)), readFileSync(mounts, 'utf8'));
    return name !== null && isShared(name) ? name : null;
  } catch {
    return null;
  }
}

/** The file may not exist yet. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : realPathOf(folder);
  }
}

/** Warns if a file is on a file system on which SQLite's locks may not work. */
export function warnIfShared(file: string, mounts?: string): void {
  const name = sharedFileSystemOf(file, mounts);
  if (name === null) return;
  warnOnce(
    `The database ${file} is on a shared file system (${name}), where SQLite's locks and its log may not work: other machines, ` +
      'containers or the host of this container could corrupt it. Put it on a local disk or a volume of Docker, or use PostgreSQL.',
  );
}
