// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsPlatform
public import ClaimsProtocol

// Asking the daemon.

extension CommandContext {
    /// The time that was written for the daemon to answer in: `--timeout`, or its variable.
    private func writtenLimit() throws(CommandError) -> WrittenSpan? {
        if let timeout = invocation.timeout { return timeout }
        guard let value = surroundings.environment("CLAIMSCTL_TIMEOUT"), !value.isEmpty else { return nil }
        do throws(UsageError) {
            return try ArgumentParser.span(value, of: "CLAIMSCTL_TIMEOUT")
        } catch {
            throw .usage(error)
        }
    }

    /// The unit of the daemon that is asked; nil if it is not known, as on another host.
    public var unit: DaemonUnit? { invocation.host == nil ? DaemonUnit(socket: socketPath) : nil }

    /// The path of the daemon's socket.
    var socketPath: String { invocation.socket ?? SocketPath.standard(surroundings.environment) }

    /// The location of the daemon that the command line means.
    ///
    /// - Parameter isAgain: whether a person has been told that the daemon has gone away. Nothing is shown then of what
    ///   ssh says of each attempt.
    private func address(isAgain: Bool) -> DaemonAddress {
        guard let host = invocation.host else { return .socket(socketPath) }
        return .host(reachable(host, isQuiet: format.isJSON || isAgain))
    }

    /// The host with the program that reaches it.
    ///
    /// - Parameter isQuiet: whether what that says is kept for the error, which may have to be one JSON object.
    private func reachable(_ host: RemoteHost, isQuiet: Bool) -> RemoteHost {
        var host = host
        if let program = surroundings.environment("CLAIMSCTL_SSH"), !program.isEmpty { host.program = program }
        host.keepsWords = isQuiet
        return host
    }

    /// The connection; the first call makes it.
    @discardableResult public func connection(
        timeout standard: Duration? = .seconds(30)
    ) throws(CommandError) -> ClientConnection {
        if let opened { return opened }
        limit = try writtenLimit()
        let timeout = limit.map { $0.duration < TimeSpan.infinity ? $0.duration : nil } ?? standard
        do throws(ClientError) {
            let connection = try connect(within: timeout ?? TimeSpan.infinity)
            connection.timeout = timeout
            // What is written is the time of the whole answer.
            connection.isProlongedByParts = limit == nil
            opened = connection
            return connection
        } catch {
            throw .client(error)
        }
    }

    /// A connection of its own, of which nothing is said where the daemon is silent.
    public func newConnection(timeout: Duration?, isAgain: Bool = false) throws(ClientError) -> ClientConnection {
        speaking(try ClientConnection(address(isAgain: isAgain), timeout: timeout))
    }

    /// The connection, on which the daemon answers in the language of this command.
    private func speaking(_ connection: ClientConnection) -> ClientConnection {
        connection.language = answerLanguage
        return connection
    }

    /// A connection for hints and completions: without a question for a password, and without notices.
    ///
    /// - Parameters:
    ///   - socket: the path of the socket; nil for the standard one.
    ///   - host: the other host; nil for this one.
    public func quietConnection(
        socket: String?, host: RemoteHost?, timeout: Duration?
    ) throws(ClientError) -> ClientConnection {
        guard let host else { return speaking(try ClientConnection(path: socket ?? socketPath, timeout: timeout)) }
        var quiet = reachable(host, isQuiet: true)
        quiet.isBatch = true
        return speaking(try ClientConnection(.host(quiet), timeout: timeout))
    }

    private func connect(within limit: Duration) throws(ClientError) -> ClientConnection {
        let first = min(limit, surroundings.silenceLimit)
        if invocation.host != nil { return try newConnection(timeout: limit) }
        do throws(ClientError) {
            return speaking(try ClientConnection(path: socketPath, timeout: first))
        } catch {
            guard limit > first, case .unreachable(_, let reason) = error, reason.isTimeout else { throw error }
            tellSilence(messages.queueFull(at: socketPath))
            return speaking(try ClientConnection(path: socketPath, timeout: limit - first))
        }
    }

    /// The result of a request.
    ///
    /// - Parameters:
    ///   - isLong: whether the answer may take long while the daemon is well.
    ///   - whileWaiting: called about ten times a second as long as nothing arrives.
    ///   - onNotification: called for each notification, such as `progress`.
    func answer(
        to number: ClientConnection.RequestNumber, isLong: Bool = false, whileWaiting: (() -> Void)? = nil,
        onNotification: ((AnswerValue) -> Void)? = nil
    ) throws(CommandError) -> AnswerValue {
        let connection = try connection()
        var watch = SilenceWatch(connection, limit: surroundings.silenceLimit, isLong: isLong)
        do throws(ClientError) {
            return try connection.answer(
                to: number,
                whileWaiting: {
                    if !self.hasToldSilence, let text = watch.look(self.messages) { self.tellSilence(text) }
                    whileWaiting?()
                }, onNotification: onNotification ?? self.onNotification)
        } catch {
            throw .client(error)
        }
    }

    private func tellSilence(_ text: String) {
        hasToldSilence = true
        let end = limit.flatMap { $0.duration < TimeSpan.infinity ? $0.text : nil }
        notice(messages.silence(text, command: unit?.command("status"), limit: end))
    }

    /// Sends a request and waits for its result.
    public func call<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters
    ) throws(CommandError) -> AnswerValue {
        try answer(to: try connection().request(method, parameters))
    }

    /// Notes a request for what a collection holds, or, without a name, for what all hold.
    func requestDescription(of collection: String?) throws(CommandError) -> ClientConnection.RequestNumber {
        var parameters = DescribeParameters()
        parameters.collection = collection
        return try connection().request(.describe, parameters)
    }

    /// The collections in the answer to a request of ``requestDescription(of:)``.
    func descriptions(
        _ number: ClientConnection.RequestNumber
    ) throws(CommandError) -> [CollectionDescription] {
        CollectionDescription.all(in: try answer(to: number))
    }
}

extension CommandContext {
    /// The answer to `status`, for hints; nil where there is none.
    func daemonStatus() -> AnswerValue? {
        do throws(CommandError) {
            return try call(.status, StatusParameters())
        } catch _ {
            // A hint is no reason to fail: then it names what the unit lets one guess.
            return nil
        }
    }

    /// The configuration of the daemon, as it tells it; costs a request.
    func daemonFiles() -> DaemonFiles { DaemonFiles(daemonStatus(), unit: unit) }
}
