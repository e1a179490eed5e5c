import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, it, vi } from 'vitest';
import { fileSystemOf, isShared, sharedFileSystemOf, warnIfShared } from './mounts.js';

const MOUNTS = String.raw`overlay / overlay rw 0 0
proc /proc proc rw 0 0
/dev/sda1 /data ext4 rw 0 0
/run/host_mark/Users /data/app virtiofs rw 0 0
C:\134 /mnt/c 9p rw,aname=drvfs;path=C:\ 0 0
server:/export /mnt/my\040files nfs4 rw 0 0
bucket /srv/bucket ext4 rw 0 0
bucket /srv/bucket fuse.gcsfuse rw 0 0
tmpfs /data/application tmpfs rw 0 0`;

it.each([
  ['/data/x.sqlite', 'ext4'],
  ['/data/app/x.sqlite', 'virtiofs'],
  ['/data/app', 'virtiofs'],
  ['/data/application/x.sqlite', 'tmpfs'],
  ['/data/apps/x.sqlite', 'ext4'],
  ['/mnt/c/Users/x.sqlite', '9p'],
  ['/mnt/my files/x.sqlite', 'nfs4'],
  ['/srv/bucket/x.sqlite', 'fuse.gcsfuse'],
  ['/home/x.sqlite', 'overlay'],
])('%s is on %s: the longest mount point decides, and the last of equal ones', (path, name) => {
  expect(fileSystemOf(path, MOUNTS)).toBe(name);
});

it.each([
  'virtiofs',
  'fuse',
  'fuseblk',
  'fuse.gcsfuse',
  'fuse.s3fs',
  'fuse.sshfs',
  'fuse.grpcfuse',
  'fuse.osxfs',
  'osxfs',
  'fakeowner',
  '9p',
  'drvfs',
  'nfs',
  'nfs4',
  'cifs',
  'smb3',
  'smbfs',
  'vboxsf',
  'fuse.vmhgfs-fuse',
  'ceph',
  'fuse.glusterfs',
])('SQLite may fail on %s', (name) => {
  expect(isShared(name)).toBe(true);
});

it.each(['ext4', 'xfs', 'btrfs', 'zfs', 'overlay', 'tmpfs', 'apfs', 'fuse.ntfs-3g', 'fuse.fuse-overlayfs'])(
  'SQLite works on %s',
  (name) => {
    expect(isShared(name)).toBe(false);
  },
);

it('a file that does not exist yet is judged by its folder', () => {
  expect(sharedFileSystemOf('/nowhere/at/all/x.sqlite')).toBe(sharedFileSystemOf('/'));
});

it('a file on a shared folder is warned of, also behind a link', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'shared'));
  symlinkSync(join(root, 'shared'), join(root, 'link'));
  const mounts = join(root, 'mounts');
  writeFileSync(mounts, `overlay / overlay rw 0 0\nhost ${root}/shared virtiofs rw 0 0\n`);
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  warnIfShared(join(root, 'local.sqlite'), mounts);
  expect(warn).not.toHaveBeenCalled();
  warnIfShared(join(root, 'link', 'x.sqlite'), mounts);
  expect(warn).toHaveBeenCalledWith(
    expect.stringContaining('shared file system (virtiofs)'),
    expect.anything(),
  );
});
