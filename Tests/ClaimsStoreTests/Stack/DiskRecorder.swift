// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

/// Records what a process leaves on disk at each call that changes a file of its folders `state` and `cache`: what a kill
/// before the call leaves, and what a loss of power leaves, by which only synced bytes and synced names are kept.
///
/// It is a library between the process and libc. The process says in the file `root` which folder is recorded from then
/// on, and in `step` how far it is, or `end`.
final class DiskRecorder: Sendable {
    private static let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/opt/swift/usr/bin/clang"].first {
        Files.exists($0)
    }
    static var isPossible: Bool { compiler != nil && !BuiltProgram.isSanitized }

    /// The contents of the disk at one moment.
    struct Image: Sendable {
        let path: String
        let isPowerLoss: Bool
        /// How far the process was.
        let step: Int
    }

    let folder: TemporaryFolder

    init() throws {
        guard let compiler = Self.compiler else { throw TestFailure("there is no compiler") }
        folder = try TemporaryFolder()
        try folder.write("recorder.c", Self.source)
        let child = try ChildProcess(
            compiler, ["-shared", "-fPIC", "-O1", "-o", folder("recorder.so"), folder("recorder.c"), "-ldl"],
            environment: BuiltProgram.environment())
        guard child.wait() == .exited(0) else { throw TestFailure("the recorder cannot be compiled") }
    }

    /// Runs a test of this program in a process that is recorded.
    ///
    /// - Parameter variable: set to this recorder's folder.
    func run(test name: String, variable: String) throws {
        let output = try FileDescriptor.open(folder("output"), .append(permissions: 0o600))
        let environment = BuiltProgram.environment(["LD_PRELOAD": folder("recorder.so"), variable: folder.path])
        let child = try ChildProcess(
            "/proc/self/exe", ["--testing-library", "swift-testing", "--filter", name], environment: environment,
            output: output.raw, error: output.raw)
        guard try child.hasEnded(within: LineClient.timeout * 4), child.wait() == .exited(0) else {
            throw TestFailure("the recorded process fails: \(try folder.read("output").suffix(4000))")
        }
    }

    /// The images, the oldest first.
    func images() throws -> [Image] {
        let names = try Directory.list(folder.path).filter { $0.hasPrefix("image") }.sorted()
        return try names.map { name in
            let step = try folder.read("\(name)/step")
            return Image(
                path: folder(name), isPowerLoss: name.hasSuffix("power"),
                step: Int(step.filter(\.isNumber)) ?? 0)
        }
    }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <dirent.h>
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <pthread.h>
        #include <stdarg.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <sys/uio.h>
        #include <unistd.h>

        enum { NAMES = 4096, FILES = 8192, PATH = 1024 };

        /* A file: `copy` has its bytes as of the last image that has them, `saved` numbers those as of the last sync. */
        static struct file { ino_t inode; int is_gone, is_changed, is_unsynced, saved; char copy[PATH]; } files[FILES];
        /* The names that are on disk. */
        static struct { char name[256]; int file; } names[NAMES];
        static int file_count, name_count, image_count, saved_count, is_changed, is_synced;
        static char root[PATH], last_step[64];
        static const char *images;
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static const char *const folders[] = {"state", "cache"};

        #define REAL(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

        static void stop(const char *what) { perror(what); _exit(99); }

        static void copy(const char *from, const char *to) {
            char bytes[65536];
            int in = REAL(int, "open", const char *, int, ...)(from, O_RDONLY | O_CLOEXEC);
            int out = REAL(int, "open", const char *, int, ...)(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
            ssize_t count = -1;
            if (in < 0 || out < 0) stop(from);
            while ((count = read(in, bytes, sizeof bytes)) > 0)
                if (REAL(ssize_t, "write", int, const void *, size_t)(out, bytes, count) != count) stop(to);
            close(in);
            close(out);
        }

        static int find(const struct stat *status) {
            for (int index = file_count - 1; index >= 0; index--)
                if (files[index].inode == status->st_ino && !files[index].is_gone) return index;
            if (file_count == FILES) stop("too many files");
            files[file_count] = (struct file){.inode = status->st_ino, .is_changed = 1, .is_unsynced = 1, .saved = -1};
            return file_count++;
        }

        static int file_at(const char *path) {
            struct stat status;
            return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? find(&status) : -1;
        }

        /* Calls `body` with each file of a folder, by its name there, its path and its number. */
        static void each(const char *folder, void (*body)(const char *, const char *, int)) {
            char path[PATH];
            snprintf(path, sizeof path, "%s/%s", root, folder);
            DIR *list = opendir(path);
            if (!list) return;
            for (struct dirent *entry; (entry = readdir(list));) {
                size_t length = strlen(entry->d_name);
                if (length > 4 && !strcmp(entry->d_name + length - 4, "-shm")) continue;
                char name[600];
                snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
                snprintf(path, sizeof path, "%s/%s", root, name);
                int file = file_at(path);
                if (file >= 0) body(name, path, file);
            }
            closedir(list);
        }

        static void save(const char *path, int file) {
            char saved[PATH];
            if (!files[file].is_unsynced) return;
            files[file].saved = saved_count++;
            files[file].is_unsynced = 0;
            snprintf(saved, sizeof saved, "%s/saved-%d", images, files[file].saved);
            copy(path, saved);
            is_synced = 1;
        }

        static void note_name(const char *name, const char *path, int file) {
            (void)path;
            if (name_count == NAMES) stop("too many names");
            snprintf(names[name_count].name, sizeof names[0].name, "%s", name);
            names[name_count++].file = file;
        }

        static void sync_names(const char *folder) {
            int count = 0;
            size_t length = strlen(folder);
            for (int index = 0; index < name_count; index++)
                if (strncmp(names[index].name, folder, length) || names[index].name[length] != '/')
                    names[count++] = names[index];
            name_count = count;
            each(folder, note_name);
            is_synced = 1;
        }

        static void save_file(const char *name, const char *path, int file) { (void)name; save(path, file); }

        static char image[PATH];

        static void add_to_image(const char *name, const char *path, int file) {
            char to[PATH + 600];
            snprintf(to, sizeof to, "%s/%s", image, name);
            if (!files[file].is_changed && files[file].copy[0]) {
                if (REAL(int, "link", const char *, const char *)(files[file].copy, to)) stop(to);
                return;
            }
            copy(path, to);
            files[file].is_changed = 0;
            snprintf(files[file].copy, sizeof files[file].copy, "%s", to);
        }

        static void begin_image(const char *kind, const char *step) {
            char path[PATH + 64];
            snprintf(image, sizeof image, "%s/image-%05d-%s", images, image_count++, kind);
            mkdir(image, 0700);
            for (int index = 0; index < 2; index++) {
                snprintf(path, sizeof path, "%s/%s", image, folders[index]);
                mkdir(path, 0700);
            }
            snprintf(path, sizeof path, "%s/step", image);
            FILE *file = fopen(path, "w");
            if (!file) stop(path);
            fputs(step, file);
            fclose(file);
        }

        /* Whether something is recorded by now. */
        static int is_active(void) {
            char path[PATH];
            if (root[0]) return 1;
            if (!images && !(images = getenv("CLAIMSD_TEST_RECORDED"))) return 0;
            snprintf(path, sizeof path, "%s/root", images);
            FILE *file = fopen(path, "r");
            if (!file) return 0;
            if (!fgets(root, sizeof root, file)) root[0] = 0;
            fclose(file);
            for (int index = 0; root[0] && index < 2; index++) {
                each(folders[index], save_file);
                sync_names(folders[index]);
            }
            return root[0] != 0;
        }

        /* What is on disk before a call that changes a path. The lock is held until `after`. */
        static int before(const char *path) {
            pthread_mutex_lock(&lock);
            int reason = errno, result = 0;
            size_t length;
            if (is_active() && (length = strlen(root)) && !strncmp(path, root, length)
                && (!strncmp(path + length, "/state", 6) || !strncmp(path + length, "/cache", 6)))
            {
                char step[64] = "0", name[PATH];
                snprintf(name, sizeof name, "%s/step", images);
                FILE *file = fopen(name, "r");
                if (file) {
                    if (!fgets(step, sizeof step, file)) step[0] = 0;
                    fclose(file);
                }
                if (!strncmp(step, "end", 3)) return 0;
                int is_new = strcmp(step, last_step);
                if (is_changed || is_new) {
                    begin_image("kill", step);
                    for (int index = 0; index < 2; index++) each(folders[index], add_to_image);
                }
                if (is_synced || is_new) {
                    begin_image("power", step);
                    for (int index = 0; index < name_count; index++) {
                        char from[PATH], to[PATH + 600];
                        snprintf(to, sizeof to, "%s/%s", image, names[index].name);
                        snprintf(from, sizeof from, "%s/saved-%d", images, files[names[index].file].saved);
                        if (files[names[index].file].saved < 0) copy("/dev/null", to);
                        else if (REAL(int, "link", const char *, const char *)(from, to)) stop(to);
                    }
                }
                is_changed = is_synced = 0;
                snprintf(last_step, sizeof last_step, "%s", step);
                result = 1;
            }
            errno = reason;
            return result;
        }

        static void after(void) { int reason = errno; pthread_mutex_unlock(&lock); errno = reason; }

        static void changed(int is_recorded, const char *path) {
            if (!is_recorded) return;
            int reason = errno, file = file_at(path);
            if (file >= 0) files[file].is_changed = files[file].is_unsynced = 1;
            is_changed = 1;
            errno = reason;
        }

        static const char *path_of(int descriptor, char *path) {
            char link[64];
            int reason = errno;
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            ssize_t length = readlink(link, path, PATH - 1);
            path[length < 0 ? 0 : length] = 0;
            if (strstr(path, " (deleted)") || strstr(path, "-shm")) path[0] = 0;
            errno = reason;
            return path;
        }

        #define CHANGE(type, function, descriptor, call) \
            char path[PATH]; \
            int is_recorded = before(path_of(descriptor, path)); \
            type result = call; \
            changed(is_recorded, path); \
            after(); \
            return result;

        ssize_t write(int fd, const void *bytes, size_t size) {
            CHANGE(ssize_t, write, fd, REAL(ssize_t, "write", int, const void *, size_t)(fd, bytes, size))
        }
        ssize_t writev(int fd, const struct iovec *parts, int count) {
            CHANGE(ssize_t, writev, fd, REAL(ssize_t, "writev", int, const struct iovec *, int)(fd, parts, count))
        }
        ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
            CHANGE(ssize_t, pwrite, fd, REAL(ssize_t, "pwrite", int, const void *, size_t, off_t)(fd, bytes, size, at))
        }
        ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) {
            CHANGE(ssize_t, pwrite, fd, REAL(ssize_t, "pwrite", int, const void *, size_t, off_t)(fd, bytes, size, at))
        }
        int ftruncate(int fd, off_t size) {
            CHANGE(int, ftruncate, fd, REAL(int, "ftruncate", int, off_t)(fd, size))
        }
        int ftruncate64(int fd, off_t size) {
            CHANGE(int, ftruncate, fd, REAL(int, "ftruncate", int, off_t)(fd, size))
        }

        static int synced(int fd, const char *name) {
            char path[PATH];
            int is_recorded = before(path_of(fd, path));
            int result = REAL(int, name, int)(fd), reason = errno, file;
            for (int index = 0; is_recorded && result == 0 && index < 2; index++) {
                char folder[PATH + 16];
                snprintf(folder, sizeof folder, "%s/%s", root, folders[index]);
                if (!strcmp(folder, path)) sync_names(folders[index]);
            }
            if (is_recorded && result == 0 && (file = file_at(path)) >= 0) save(path, file);
            errno = reason;
            after();
            return result;
        }
        int fsync(int fd) { return synced(fd, "fsync"); }
        int fdatasync(int fd) { return synced(fd, "fdatasync"); }

        int unlink(const char *path) {
            int is_recorded = before(path);
            struct stat status;
            if (is_recorded && stat(path, &status) == 0 && status.st_nlink == 1 && S_ISREG(status.st_mode))
                files[find(&status)].is_gone = 1;
            int result = REAL(int, "unlink", const char *)(path);
            if (is_recorded) is_changed = 1;
            after();
            return result;
        }
        int rename(const char *from, const char *to) {
            int is_recorded = before(to);
            struct stat status;
            if (is_recorded && stat(to, &status) == 0 && status.st_nlink == 1 && S_ISREG(status.st_mode))
                files[find(&status)].is_gone = 1;
            int result = REAL(int, "rename", const char *, const char *)(from, to);
            if (is_recorded) is_changed = 1;
            after();
            return result;
        }
        int link(const char *from, const char *to) {
            int is_recorded = before(to);
            int result = REAL(int, "link", const char *, const char *)(from, to);
            if (is_recorded) is_changed = 1;
            after();
            return result;
        }

        static int opened(const char *path, int flags, mode_t mode) {
            if (!(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE)
                return REAL(int, "open", const char *, int, ...)(path, flags, mode);
            int is_recorded = strstr(path, "-shm") ? before("") : before(path);
            int result = REAL(int, "open", const char *, int, ...)(path, flags, mode);
            if (result >= 0) changed(is_recorded, path);
            after();
            return result;
        }
        #define OPEN(function) \
            int function(const char *path, int flags, ...) { \
                va_list list; \
                va_start(list, flags); \
                mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
                va_end(list); \
                return opened(path, flags, mode); \
            }
        OPEN(open)
        OPEN(open64)
        """#
}
