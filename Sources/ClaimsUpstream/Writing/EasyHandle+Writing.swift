// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

extension EasyHandle {
    /// Takes the body from `transfer`, which must outlive the transfer, and announces it as `size` bytes.
    ///
    /// libcurl gets no function to begin the body anew, so that it cannot send it a second time.
    func sendBody(of transfer: WriteTransfer, size: Int) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        set(CURLOPT_UPLOAD, true)
        _ = unsafe ccurl_setopt_offset(pointer, CURLOPT_INFILESIZE_LARGE, curl_off_t(size))
        _ = unsafe ccurl_setopt_pointer(pointer, CURLOPT_READDATA, context)
        _ = unsafe ccurl_setopt_callback(pointer, CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let context = unsafe context else { return Int(CURL_READFUNC_ABORT) }
            let transfer = unsafe Unmanaged<WriteTransfer>.fromOpaque(context).takeUnretainedValue()
            var room = unsafe MutableRawSpan(_unsafeStart: bytes, byteCount: size * count)
            return transfer.fill(&room) ?? Int(CURL_READFUNC_ABORT)
        }
    }

    /// Tells `transfer`, which must outlive the transfer, when a connection can carry the request.
    func announceConnection(to transfer: WriteTransfer) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        _ = unsafe ccurl_setopt_pointer(pointer, CURLOPT_PREREQDATA, context)
        _ = unsafe ccurl_setopt_before_request(pointer) { context, _, _, _, _ in
            guard let context = unsafe context else { return Int32(CURL_PREREQFUNC_ABORT) }
            let transfer = unsafe Unmanaged<WriteTransfer>.fromOpaque(context).takeUnretainedValue()
            return Int32(transfer.begin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
        }
    }
}
