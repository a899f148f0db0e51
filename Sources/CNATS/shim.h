// The declarations of the C client of NATS (libnats), as the distribution has them. The library itself is loaded when a broker is named.
// Only functions whose parameters are the same in all its versions: none with the structures of JetStream. Only the module Brokers sees this.
#include <nats/nats.h>

typedef __typeof__(&natsConnection_Connect) natsConnection_Connect_function;
typedef __typeof__(&natsConnection_Destroy) natsConnection_Destroy_function;
typedef __typeof__(&natsConnection_FlushTimeout) natsConnection_FlushTimeout_function;
typedef __typeof__(&natsConnection_GetMaxPayload) natsConnection_GetMaxPayload_function;
typedef __typeof__(&natsConnection_Status) natsConnection_Status_function;
typedef __typeof__(&natsConnection_Publish) natsConnection_Publish_function;
typedef __typeof__(&natsConnection_PublishRequest) natsConnection_PublishRequest_function;
typedef __typeof__(&natsConnection_RequestMsg) natsConnection_RequestMsg_function;
typedef __typeof__(&natsConnection_SubscribeSync) natsConnection_SubscribeSync_function;
typedef __typeof__(&natsInbox_Create) natsInbox_Create_function;
typedef __typeof__(&natsInbox_Destroy) natsInbox_Destroy_function;
typedef __typeof__(&natsMsgHeader_Get) natsMsgHeader_Get_function;
typedef __typeof__(&natsMsgHeader_Set) natsMsgHeader_Set_function;
typedef __typeof__(&natsMsg_Create) natsMsg_Create_function;
typedef __typeof__(&natsMsg_Destroy) natsMsg_Destroy_function;
typedef __typeof__(&natsMsg_GetData) natsMsg_GetData_function;
typedef __typeof__(&natsMsg_GetDataLength) natsMsg_GetDataLength_function;
typedef __typeof__(&natsMsg_GetReply) natsMsg_GetReply_function;
typedef __typeof__(&natsMsg_GetSubject) natsMsg_GetSubject_function;
typedef __typeof__(&natsOptions_Create) natsOptions_Create_function;
typedef __typeof__(&natsOptions_Destroy) natsOptions_Destroy_function;
typedef __typeof__(&natsOptions_LoadCATrustedCertificates) natsOptions_LoadCATrustedCertificates_function;
typedef __typeof__(&natsOptions_SetFailRequestsOnDisconnect) natsOptions_SetFailRequestsOnDisconnect_function;
typedef __typeof__(&natsOptions_SetMaxReconnect) natsOptions_SetMaxReconnect_function;
typedef __typeof__(&natsOptions_SetNKeyFromSeed) natsOptions_SetNKeyFromSeed_function;
typedef __typeof__(&natsOptions_SetName) natsOptions_SetName_function;
typedef __typeof__(&natsOptions_SetReconnectWait) natsOptions_SetReconnectWait_function;
typedef __typeof__(&natsOptions_SetSecure) natsOptions_SetSecure_function;
typedef __typeof__(&natsOptions_SetServers) natsOptions_SetServers_function;
typedef __typeof__(&natsOptions_SetTimeout) natsOptions_SetTimeout_function;
typedef __typeof__(&natsOptions_SetUserCredentialsFromFiles) natsOptions_SetUserCredentialsFromFiles_function;
typedef __typeof__(&natsOptions_SetUserInfo) natsOptions_SetUserInfo_function;
typedef __typeof__(&natsOptions_SkipServerVerification) natsOptions_SkipServerVerification_function;
typedef __typeof__(&natsStatus_GetText) natsStatus_GetText_function;
typedef __typeof__(&natsSubscription_Destroy) natsSubscription_Destroy_function;
typedef __typeof__(&natsSubscription_NextMsg) natsSubscription_NextMsg_function;
typedef __typeof__(&nats_GetLastError) nats_GetLastError_function;
