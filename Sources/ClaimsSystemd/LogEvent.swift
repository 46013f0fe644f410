// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The kinds of logged events. The raw value is the `MESSAGE_ID`, which `systemd/claimsd.catalog` explains.
///
/// Other programs search for these ids, so they never change (systemd.journal-fields(7)).
public enum LogEvent: String, CaseIterable, Sendable {
    /// The daemon is ready and answers requests.
    case ready = "54d484717e444d95ab1ce684b446f762"
    /// The daemon is ending, as it was asked to.
    case stopping = "1c452d4bb86944b8964d8236a56b1eb6"
    /// A new configuration is in force.
    case reloaded = "9dd29923972c416aaba02b1badc87aec"
    /// A new configuration has errors, and only its good parts are in force.
    case reloadRejected = "719fb1f5a9a1446cb0cd482290fc36dc"
    /// No collection has a good definition at start, and the daemon ends with exit code 78.
    case configurationInvalid = "2be552203c4c4f4f8703b037dfbd00e5"
    /// A configuration file has an error, and the earlier configuration stays in force.
    case configurationMistaken = "d1b0f664c7d44180ae0cf4b4a52f5f70"
    /// An error in a configuration file is there no longer.
    case configurationMended = "22ed2dcc876a492c84319bb61b4610eb"
    /// A new generation of a collection is served.
    case collectionUpdated = "76618e77ca144e5e83c02eda4c05a554"
    /// A refresh of a source has failed, after one that succeeded.
    case sourceFailing = "f5a61f2854514a95b96745a8a7700a8c"
    /// A source has failed several times in a row.
    case sourceOpen = "3bcf834cbf734a16a3df8e4cd917b30d"
    /// A refresh of a source has succeeded, after one that failed.
    case sourceRecovered = "272ec01d8ad74eb78efb8e5832e29a93"
    /// A source refuses the request itself with a status of 4xx.
    case sourceRefused = "62c744e8d29049c8a764c166aa1e575e"
    /// A host of upstreams wants no requests for some time.
    case hostClosed = "5559604015d1444d9c7e4992dfff0ac4"
    /// New data of a collection looks wrong and is held back instead of served.
    case collectionHeld = "40c09750b26d4c608f2b99b017f8f65d"
    /// Data that was held back is served.
    case collectionReleased = "76415c5e484c48039342a9c66c843f8c"
    /// Some records of a source cannot be read and are in quarantine.
    case recordsQuarantined = "f58fd396c0d8493db714665a0cf3f93a"
    /// Some records of the second request of a source fill nothing, because they have no key.
    case joinRecordsIgnored = "88d9b2cf527a499ebf9c71a583bcab73"
    /// A derived file was missing, damaged or of another version, and was made again.
    case snapshotRebuilt = "2e1fd96e22c9407ebb97ed0d9c91a2ba"
    /// The state database is damaged, and was moved aside.
    case stateDamaged = "f294e96b90c9455e9202470b5faae49c"
    /// The disk did not read a part of the state database, though it was asked several times.
    case stateUnreadable = "58af2a40edf846558a03a07a915fa5c1"
    /// A copy of the state database was put back, and a new epoch has begun.
    case stateRestored = "f4edb974a16643609e1abb7552525bcd"
    /// Another program has locked the state database, and changes are refused.
    case stateLocked = "08742598811043baae032151acba82f6"
    /// Another program has given the state database back.
    case stateUnlocked = "5a9c1653113d49399947e28933bc5a78"
    /// Another program keeps the write-ahead log of the state database, which grows.
    case logKept = "ffb3621deffa46b39b24ee724c8f7257"
    /// The write-ahead log of the state database begins anew.
    case logReleased = "1ef045b9f4b647e7b6c7de509ae69a0a"
    /// A disk is full, and changes are refused.
    case storageFull = "7c3827de1eec4b859b732a868707d050"
    /// A disk that was full has room again.
    case storageRecovered = "511538d4d326457a9f328275cd9c8d7a"
    /// The files of a collection are to be merged, and the disk has no room for the new one.
    case mergeWaiting = "8d0f4c6be7a14d0b9c35f2e1a6074b98"
    /// Files that waited for room were merged.
    case mergeDone = "41c7be905f2e4b1d8a63d07c9e5f1826"
    /// Another daemon holds the state database.
    case stateInUse = "6ffa80fce0024662868cd24591580c67"
    /// A folder of the daemon cannot be used.
    case folderUnusable = "a7c486a3467e4a5e9787e20034cbe1bc"
    /// The state database cannot be used, and is left as it is.
    case stateUnusable = "5d0a0f7b4c1e4c0f9b5f6f0a8d7c3e21"
    /// The machine's clock was set to another time.
    case clockStepped = "c27a6b9348bb4eba8ad610f99fb89275"
    /// An event loop makes no progress, and the watchdog is not fed.
    case loopStalled = "0c7fff099cd94484a16daf4ef72fcca9"
    /// Connections are refused because there are too many.
    case connectionsExhausted = "8412aef0a610441b85a21834d7824794"
    /// A client has archived or unarchived records.
    case recordsArchived = "673da32b44a644c0a75dabd2c7791310"
    /// Records of a journaled collection were shown to a user.
    case recordsShown = "18669c2587dd47b28e0018a2204a7d4f"
    /// A reload has brought the definition of a new collection.
    case collectionAdded = "8543be2f2c8ea412090f93d593e53984"
    /// The definition of a collection is gone, and so is the collection; its records are kept for a while.
    case collectionRemoved = "6d5fa24ef8b954546cb034b538f31d75"
    /// The definition of a removed collection is there again, with the records that were kept.
    case collectionReturned = "f4c52801ef229b6f9d64de6437c7067a"
    /// A reload has taken the source from a definition; the data is served on.
    case sourceLost = "0ddc94f0db11eae2e34b4410b85b0d16"
    /// A reload has given a source to a definition that had none.
    case sourceFound = "48592772cba7b0695acc29947ffa7915"
    /// The records of a removed collection were erased: by a client, or because their time was over.
    case collectionErased = "caa11e604369e9bca7c90d1d0168c248"
    /// An administrator had records erased.
    case recordsForgotten = "9b1f0a6e5c7d4e52b8d3c1f07a4e6d28"
    /// An operation waits for a person.
    case operationStuck = "5a821ceba3074722a37fffa80b3d0b30"
    /// An upstream does not accept the credential of writes, or there is none, and nothing is sent to it.
    case originPaused = "63c357e202664e3ca83171e7b7f2cb42"
    /// An upstream accepts writes again.
    case originRecovered = "2be81a4df4e4407da022e49a9be29ba7"
    /// Operations have been waiting for long.
    case operationsWaiting = "65d796818f1c435ea69ddd81cfc7f187"
    /// This host asks the upstream of a source for its fleet.
    case fleetLeading = "3d1f6c0b7a924e58b0c4a6f21e9d8375"
    /// Another host asks the upstream of a source for the fleet.
    case fleetFollowing = "a4e07b95d2f84c61937be05c48d1f6a2"
    /// The records of a collection are written on this host, and the other hosts of its fleet take them from it.
    case fleetHome = "3b5d6da4d61f4ab380eeaff5a3fec269"
    /// The records of a collection are written on another host of the fleet, and taken from it.
    case fleetFromHome = "901324112d1e477893c02ea3cb78ad1f"
    /// The head at a leader's address is not one of its, is damaged, or is dated ahead.
    case fleetHeadRefused = "c85b2e9047fd4b3aa6138d7e5f02c9b4"
    /// The address of a leader does not answer.
    case fleetAddressGone = "e2709c4d18b54fa7835d6ab1c0f7e493"
    /// The address of a leader answers again.
    case fleetAddressBack = "5c96a1f37e0d42b8941fd83b6a2e70c5"
    /// Archive marks of this host do not count, because other hosts have set later ones.
    case marksOverruled = "b07e52d9c31a4f6688e4d0a97c1f35be"
    /// Archive marks have been waiting for the fleet's database for long.
    case marksWaiting = "7f4a08e6d2b54c11a9e3605b8d7c92f1"
}
